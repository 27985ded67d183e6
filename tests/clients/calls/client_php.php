<?php
// The calls from PHP's SQLite3. usage: php -d sqlite3.extension_dir=FOLDER client_php.php module database calls
[, $module, $database, $calls] = $argv;
$db = new SQLite3($database);
$db->enableExceptions(true);
$db->loadExtension(basename($module) . '.so');
foreach (file($calls, FILE_IGNORE_NEW_LINES) as $line) {
    [$name, $sql] = explode("\t", $line);
    if ($name === 'interrupt') {
        $result = 'none';  // SQLite3 does not offer it
    } else {
        try {
            $result = $db->querySingle($sql);
        } catch (Exception $error) {
            $result = 'error: ' . $error->getMessage();
        }
    }
    echo "$name\t$result\n";
}
