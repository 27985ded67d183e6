#!/usr/bin/python3
"""Makes the calls of calls.tsv from every client that is installed, and runs the snippets of docs/clients.md.

usage: run_clients.py module static-library source-folder [client...]
Node's packages are looked for in $TRUSTSQL_NODE_MODULES. Clients that are not installed are skipped with their names;
with --all as the first of the clients, that is a failure. Exit code 77: every client was skipped.
"""

import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODULE, STATIC, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
NODE_MODULES = os.environ.get('TRUSTSQL_NODE_MODULES', '')
GO_PATH = '/usr/share/gocode'
SQLITE_LIBRARIES = ['-lsqlite3', '-lpthread', '-ldl', '-lm']
GO = {'GO111MODULE': 'off', 'GOPATH': GO_PATH, 'GOFLAGS': '-tags=libsqlite3', 'GOCACHE': '/tmp/trustsql-go-cache'}
JARS = ':'.join(str(path) for path in pathlib.Path('/usr/share/java').glob('*.jar')
                if re.fullmatch(r'(sqlite|sqlite-jdbc|slf4j-api|slf4j-nop)\.jar', path.name))


def program(name):
    return shutil.which(name) is not None


def succeeds(*command):
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def node_package(name):
    return program('node') and os.path.isdir(os.path.join(NODE_MODULES, name))


CARGO = """[package]
name = "client"
version = "1.0.0"
edition = "2021"
[[bin]]
name = "client"
path = "client.rs"
[dependencies]
rusqlite = { version = "*", features = ["load_extension"] }
"""


class Client:
    """How a client is recognised, built and run. In commands {file} is the program, {folder} the one it lies in."""

    def __init__(self, installed, file, run, build=(), environment=None, interrupts=True, files=None):
        self.installed, self.file, self.run, self.build = installed, file, run, build
        self.environment, self.interrupts = environment or {}, interrupts
        self.files = files or {}


CLIENTS = {
    'C': Client(lambda: program('cc'), 'client.c', ['./client'],
                build=['cc', '-I' + str(HERE), '{file}', '-o', 'client', *SQLITE_LIBRARIES]),
    'C++': Client(lambda: program('c++') and STATIC.exists(), 'client.cpp', ['./client'],
                  build=['c++', '-std=c++17', '-I' + str(HERE), f'-I{SOURCE}/include', '{file}', str(STATIC), '-o',
                         'client', *SQLITE_LIBRARIES]),
    'Python sqlite3': Client(lambda: True, 'client_python.py', ['/usr/bin/python3', '{file}']),
    'Python apsw': Client(lambda: succeeds('/usr/bin/python3', '-c', 'import apsw'), 'client_apsw.py',
                          ['/usr/bin/python3', '{file}']),
    'Node better-sqlite3': Client(lambda: node_package('better-sqlite3'), 'client_better_sqlite3.js',
                                  ['node', '{file}'], environment={'NODE_PATH': NODE_MODULES}, interrupts=False),
    'Node sqlite3': Client(lambda: node_package('sqlite3'), 'client_sqlite3.js', ['node', '{file}'],
                           environment={'NODE_PATH': NODE_MODULES}),
    'Perl DBD::SQLite': Client(lambda: succeeds('/usr/bin/perl', '-MDBD::SQLite', '-e', '1'), 'client_perl.pl',
                               ['/usr/bin/perl', '{file}'], interrupts=False),
    'PHP SQLite3': Client(lambda: succeeds('php', '-r', 'new SQLite3(":memory:");'), 'client_php.php',
                          ['php', '-d', 'sqlite3.extension_dir={folder}', '{file}'], interrupts=False),
    'Ruby sqlite3': Client(lambda: succeeds('/usr/bin/ruby', '-rsqlite3', '-e', '1'), 'client_ruby.rb',
                           ['/usr/bin/ruby', '{file}'], interrupts=False),
    'Tcl sqlite3': Client(lambda: program('tclsh') and subprocess.run(
                              ['tclsh'], input='puts [catch {package require sqlite3}]', text=True,
                              capture_output=True).stdout == '0\n',
                          'client_tcl.tcl', ['tclsh', '{file}'], interrupts=False),
    'Java xerial': Client(lambda: program('javac') and 'sqlite' in JARS, 'Client.java',
                          ['java', '-cp', f'.:{JARS}', 'Client'], build=['javac', '-d', '.', '-cp', JARS, '{file}']),
    'Go mattn': Client(lambda: program('go') and os.path.isdir(GO_PATH + '/src/github.com/mattn/go-sqlite3'),
                       'client.go', ['./client'], build=['go', 'build', '-o', 'client', '{file}'], environment=GO),
    'Rust rusqlite': Client(lambda: os.path.exists('/usr/bin/cargo') and bool(list(pathlib.Path(
                                '/usr/share/cargo/registry').glob('rusqlite-*'))),
                            'client.rs', ['target/debug/client'],
                            build=['/usr/bin/cargo', 'build', '--offline', '--quiet'],
                            environment={'RUSTC': '/usr/bin/rustc'},
                            files={'Cargo.toml': CARGO, '.cargo/config.toml':
                                   '[source.crates-io]\nreplace-with = "debian"\n'
                                   '[source.debian]\ndirectory = "/usr/share/cargo/registry"\n'}),
    'R RSQLite': Client(lambda: succeeds('Rscript', '-e', 'library(RSQLite)'), 'client_r.R', ['Rscript', '{file}'],
                        interrupts=False),
    'sqlite-utils': Client(lambda: program('sqlite-utils'), 'client_sqlite_utils.sh', ['sh', '{file}'],
                           interrupts=False),
}


def make_database(path):
    db = sqlite3.connect(path)
    db.executescript("""
        CREATE TABLE singer(singer_id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER);
        INSERT INTO singer VALUES (1, 'Ann', 'France', 30), (2, 'Bob', 'France', 41), (3, 'Cy', 'Peru', 33);
        CREATE TABLE answers(system TEXT, id INTEGER, gold TEXT, pred TEXT);
        INSERT INTO answers VALUES ('a', 1, 'SELECT count(*) FROM singer', 'SELECT 3'), ('a', 2, NULL, NULL),
          ('a', 3, 'SELECT name FROM singer WHERE age > 30', 'SELECT name FROM singer WHERE age >= 30');""")
    db.close()


def read_calls():
    lines = (HERE / 'calls.tsv').read_text().splitlines()
    return [line.split('\t') for line in lines if line and not line.startswith('#')]


def execute(command, client, folder, file):
    words = [word.format(file=file, folder=folder) for word in command]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, **client.environment}, stdin=subprocess.DEVNULL)


def build_and_run(client, folder, file, arguments):
    """What the program printed, or an explanation of what failed."""
    for name, text in client.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    if client.build:
        built = execute(client.build, client, folder, file)
        if built.returncode != 0:
            return None, f'building failed: {built.stdout}{built.stderr}'
    done = execute([*client.run, *arguments], client, folder, file)
    if done.returncode != 0:
        return None, f'exit code {done.returncode}: {done.stdout}{done.stderr}'
    return done.stdout, None


def check_calls(client, folder):
    """What was wrong, as texts."""
    make_database(folder / 'music.db')
    shutil.copy(MODULE, folder / 'trustsql.so')
    calls = [[cell.replace('{file}', str(folder / 'music.db')) for cell in call] for call in read_calls()]
    (folder / 'calls.tsv').write_text(''.join(f'{name}\t{sql}\n' for name, sql, _ in calls))
    file = folder / client.file
    shutil.copy(HERE / client.file, file)
    output, failure = build_and_run(client, folder, file,
                                    [str(folder / 'trustsql'), str(folder / 'music.db'), str(folder / 'calls.tsv')])
    if failure:
        return [failure]
    results = dict(re.findall(r'^(\w+)\t(.*(?:\n(?!\w+\t).*)*)', output, re.M))
    wrong = []
    for name, _, expected in calls:
        got = results.get(name, 'nothing').strip()
        if name == 'interrupt':
            right = got == 'none'
            if client.interrupts:
                right = re.match(r'error: .*(interrupt|deadline)', got, re.I | re.S)
        elif expected.startswith('error: '):
            right = got.startswith('error: ') and expected[7:] in got
        else:
            right = got == expected
        if not right:
            wrong.append(f'{name}: expected {expected!r}, got {got!r}')
    return wrong


def snippets():
    """By client: its program in docs/clients.md."""
    found = {}
    for section in re.split(r'^### ', (SOURCE / 'docs/clients.md').read_text(), flags=re.M)[1:]:
        program = re.search(r'^```\w+\n(.*?)^```', section, re.M | re.S)
        if program:
            found[section.splitlines()[0]] = program.group(1)
    return found


def check_snippet(name, client, folder):
    """The snippet is a program that opens music.db, loads ./trustsql and prints what it is told."""
    snippet = snippets().get(name)
    if snippet is None:
        return [f'docs/clients.md has no program under the heading {name}']
    file = folder / client.file
    file.write_text(snippet)
    output, failure = build_and_run(client, folder, file, [])
    if failure:
        return [f'the snippet of docs/clients.md: {failure}']
    return [] if output.strip().endswith('SELECT count(*) FROM singer') else [f'the snippet printed {output!r}']


def main():
    wanted = sys.argv[4:]
    all_needed = wanted[:1] == ['--all']
    wanted = wanted[all_needed:] or list(CLIENTS)
    skipped, failed, passed = [], [], []
    for name in wanted:
        client = CLIENTS[name]
        if not client.installed():
            skipped.append(name)
            continue
        with tempfile.TemporaryDirectory() as folder:
            wrong = check_calls(client, pathlib.Path(folder)) + check_snippet(name, client, pathlib.Path(folder))
        print(f'{name}: {"ok" if not wrong else "FAILED"}', flush=True)
        for what in wrong:
            print('  ' + what[:1500].replace('\n', '\n  '))
        (failed if wrong else passed).append(name)
    if skipped:
        print('skipped, not installed: ' + ', '.join(skipped))
    sys.exit(1 if failed or (all_needed and skipped) else 77 if not passed else 0)


main()
