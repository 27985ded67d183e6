# The calls from Perl's DBI. usage: client_perl.pl module database calls
use strict;
use warnings;
use DBI;
my ($module, $database, $calls) = @ARGV;
my $dbh = DBI->connect("dbi:SQLite:dbname=$database", "", "", {RaiseError => 1, PrintError => 0});
$dbh->sqlite_enable_load_extension(1);
$dbh->do("SELECT load_extension(?)", undef, $module);
open(my $lines, "<", $calls) or die $!;
while (my $line = <$lines>) {
  chomp $line;
  my ($name, $sql) = split /\t/, $line;
  my $result;
  if ($name eq "interrupt") {
    $result = "none";  # DBD::SQLite does not offer it
  } elsif (!eval { $result = $dbh->selectrow_array($sql); 1 }) {
    $result = "error: " . $dbh->errstr;
  }
  print "$name\t$result\n";
}
