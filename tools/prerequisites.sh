#!/bin/sh
# Prints the Python to build with. When something is missing: one line on stderr that names it, and exit status 1.
# PYTHON, if set, is the only interpreter considered; CC the only compiler.

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

has_venv() {
    "$1" -c 'import venv, ensurepip' 2>/dev/null
}

headers_of() {
    "$1" -c 'import sysconfig; print(sysconfig.get_paths()["include"])' 2>/dev/null
}

has_headers() {
    [ -f "$(headers_of "$1")/Python.h" ]
}

python=
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    new_enough "$candidate" || continue
    [ -n "$python" ] || python=$candidate
    if has_venv "$candidate" && has_headers "$candidate"; then
        python=$candidate
        break
    fi
done

compiler=
for candidate in "${CC:-cc}" ${CC:-gcc clang}; do
    # CC may hold arguments, so it is split here on purpose.
    # shellcheck disable=SC2086
    if $candidate --version >/dev/null 2>&1; then
        compiler=$candidate
        break
    fi
done

missing=
packages=
lacks() {
    missing="${missing:+$missing, }$1"
    packages="${packages:+$packages }$2"
}

if [ -z "$python" ]; then
    lacks "Python 3.11 or newer${PYTHON:+ (PYTHON=$PYTHON is not)}" "python3 python3-venv python3-dev"
else
    has_venv "$python" || lacks "the venv module of $python" python3-venv
    has_headers "$python" || lacks "the C headers of $python" python3-dev
fi
if [ -z "$compiler" ]; then
    lacks "a C compiler${CC:+ (CC=$CC does not run)}" gcc
elif [ -z "$missing" ]; then
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    echo '#include <Python.h>' >"$scratch/try.c"
    # shellcheck disable=SC2086
    if ! $compiler -shared -fPIC -I"$(headers_of "$python")" -o "$scratch/try.so" "$scratch/try.c" 2>/dev/null; then
        lacks "what $compiler needs to compile and link against $python" "gcc libc6-dev python3-dev"
    fi
fi

if [ -n "$missing" ]; then
    echo "lkicore cannot be built here: missing $missing (Debian packages: $packages)" >&2
    exit 1
fi
echo "$python"
