# The calls from Tcl. usage: client_tcl.tcl module database calls
package require sqlite3
lassign $argv module database calls
sqlite3 db $database
db enable_load_extension 1
db eval {SELECT load_extension($module)}
set file [open $calls]
while {[gets $file line] >= 0} {
  lassign [split $line \t] name sql
  if {$name eq "interrupt"} {
    set result none ;# a connection belongs to one thread, which is busy
  } elseif {[catch {db onecolumn $sql} result]} {
    set result "error: $result"
  }
  puts "$name\t$result"
}
