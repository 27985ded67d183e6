# The module in Perl's DBI. usage: client.pl trustsql.so
use strict;
use warnings;
use Test::More;
use DBI;

my ($module) = @ARGV;
my $dbh = DBI->connect("dbi:SQLite:dbname=:memory:", "", "", {RaiseError => 1, PrintError => 0});
$dbh->sqlite_enable_load_extension(1);
$dbh->do("SELECT load_extension(?)", undef, $module);
$dbh->sqlite_enable_load_extension(0);

like(scalar $dbh->selectrow_array("SELECT trustsql_version()"), qr/^\d+\.\d+\.\d+$/, "scalar function");
is(scalar $dbh->selectrow_array("SELECT trustsql_config(?, ?)", undef, "timeout_ms", 1500), 1500, "parameters");
is($dbh->selectrow_hashref("SELECT * FROM trustsql_functions WHERE name = ?", undef, "trustsql_version")->{kind}, "scalar", "table");
ok(!eval { $dbh->selectrow_array("SELECT trustsql_config('no such setting')"); 1 }, "an error is raised");
like($@, qr/trustsql_config: /, "and names the function");

# The program's handler ends a call that runs queries elsewhere; without it, the deadline would.
my $calls = 0;
$dbh->sqlite_progress_handler(1000, sub { ++$calls > 200 });
ok(!eval {
    $dbh->selectrow_array("SELECT sql_ex('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n', 'SELECT 1')");
    1;
}, "a progress handler ends a call");
like($@, qr/interrupted/, "as an interrupt does");
$dbh->sqlite_progress_handler(0, undef);
is(scalar $dbh->selectrow_array("SELECT sql_ex('SELECT 1', 'SELECT 1')"), 1, "and the next call works");
ok($dbh->disconnect, "disconnect");
done_testing();
