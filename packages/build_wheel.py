#!/usr/bin/python3
"""Makes the Python wheel `trustsql` with a module that has been built; needs Python's library and binutils only.

usage: build_wheel.py module output-folder
Prints the path of the wheel. Its tag says py3-none, since it has no code for Python's C interface, and the oldest
manylinux (PEP 600) whose glibc and libstdc++ have every symbol version that the module needs. Files have the time
SOURCE_DATE_EPOCH (by default 1980-01-01, the first that a zip file can say), so that the same module gives the same
bytes.
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time
import zipfile

from version import version

HERE = pathlib.Path(__file__).resolve().parent

# The newest GLIBCXX of each manylinux_2_Y, after the policies of auditwheel: those of the GCC that comes with it.
GLIBCXX_OF = [(17, 19), (24, 22), (28, 24), (31, 28), (34, 29), (35, 30), (38, 32), (39, 33)]


def symbol_versions(module, library):
    text = subprocess.run(['objdump', '-T', module], check=True, capture_output=True, text=True).stdout
    return [tuple(int(part) for part in found.split('.')) for found in re.findall(rf'\({library}_([\d.]+)\)', text)]


def platform_tag(module):
    """manylinux_2_Y_arch."""
    needed = subprocess.run(['objdump', '-p', module], check=True, capture_output=True, text=True).stdout
    allowed = {'libstdc++.so.6', 'libm.so.6', 'libgcc_s.so.1', 'libc.so.6', 'libdl.so.2', 'libpthread.so.0'}
    for library in re.findall(r'NEEDED\s+(\S+)', needed):
        if library not in allowed and not library.startswith('ld-linux'):
            sys.exit(f'build_wheel.py: no manylinux has {library}, which {module} needs')
    glibc = max(symbol_versions(module, 'GLIBC'))
    glibcxx = max(found[2] if len(found) > 2 else 0 for found in symbol_versions(module, 'GLIBCXX'))
    policy = next((minor for minor, newest in GLIBCXX_OF if newest >= glibcxx), None)
    if glibc[0] != 2 or policy is None:
        sys.exit(f'build_wheel.py: no manylinux has GLIBC_{glibc} and GLIBCXX_3.4.{glibcxx}')
    return f'manylinux_2_{max(glibc[1], policy)}_{platform.machine()}'


def digest(data):
    return 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()


def stripped(module):
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work, 'trustsql.so')
        subprocess.run(['strip', '--strip-unneeded', '-o', path, module], check=True)
        return path.read_bytes()


def main():
    module, output = sys.argv[1], pathlib.Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    tag = f'py3-none-{platform_tag(module)}'
    info = f'trustsql-{version()}.dist-info'
    sources = sorted((HERE / 'python/trustsql').glob('*.py')) + [HERE / 'python/trustsql/py.typed']
    files = {f'trustsql/{path.name}': path.read_bytes() for path in sources}
    files['trustsql/trustsql.so'] = stripped(module)
    readme = (HERE / 'python/README.md').read_text()
    files[f'{info}/METADATA'] = f"""Metadata-Version: 2.1
Name: trustsql
Version: {version()}
Summary: Text-to-SQL that abstains, SQL equivalence and reliability scores: a loadable extension of SQLite
License: MIT
Requires-Python: >=3.7
Description-Content-Type: text/markdown

{readme}""".encode()
    files[f'{info}/WHEEL'] = f"""Wheel-Version: 1.0
Generator: trustsql build_wheel.py
Root-Is-Purelib: false
Tag: {tag}
""".encode()
    files[f'{info}/entry_points.txt'] = b'[sqlite_utils]\ntrustsql = trustsql.sqlite_utils_plugin\n'
    files[f'{info}/LICENSE'] = (HERE.parent / 'LICENSE').read_bytes()
    record = ''.join(f'{name},{digest(data)},{len(data)}\n' for name, data in files.items())
    files[f'{info}/RECORD'] = (record + f'{info}/RECORD,,\n').encode()

    epoch = max(int(os.environ.get('SOURCE_DATE_EPOCH', 0)), 315532800)
    path = output / f'trustsql-{version()}-{tag}.whl'
    with zipfile.ZipFile(path, 'w') as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, time.gmtime(epoch)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix
            entry.external_attr = (0o100755 if name.endswith('.so') else 0o100644) << 16
            wheel.writestr(entry, data, compresslevel=9)
    print(path)


main()
