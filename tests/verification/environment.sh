# The Python environment of conformance/run and peers/run, to be sourced by them: onnx, onnxruntime, spox and pytest for
# upstream's own tests, and pyflakes for the scripts themselves. upstream/run makes environments of its own by it.
#
# CONFORMANCE_CACHE  where it is kept, with downloads and cases; without it, a folder under the target directory
#
# Sets `root`, `target`, `cache` and `python`.

PYFLAKES=3.4.0
PYTEST=9.2.0
SPOX=0.18.2
# What the facts are of is what the command is held against.
facts=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../specs/facts" && pwd)
ONNX=$(sed -n 's/.*"release":"\([^"]*\)".*/\1/p;q' "$facts/onnx.json")
ONNXRUNTIME=$(sed -n 's/.*"release":"\([^"]*\)".*/\1/p;q' "$facts/onnxruntime.json")
versions="$ONNX $ONNXRUNTIME $PYFLAKES $PYTEST $SPOX"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=$(cd "$root" && realpath -m "${CARGO_TARGET_DIR:-target}")
cache=$(realpath -m "${CONFORMANCE_CACHE:-$target/conformance}")
python=$cache/venv/bin/python
export PYTHONDONTWRITEBYTECODE=1
# One thread is enough for what is done here, and more of them only blur what is measured.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# Debian has the module in a package of its own, without which `python3 -m venv` stops half-way.
install_venv_module() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >&2; then
        echo "python3 cannot make a virtual environment: install its venv module (python3-venv on Debian)" >&2
        return 1
    fi
    apt-get update >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y python3 python3-venv >&2
}

# Makes an empty environment of a folder.
new_environment() {
    rm -rf "$1"
    if ! python3 -m venv "$1" >&2; then
        rm -rf "$1"
        install_venv_module
        python3 -m venv "$1" >&2
    fi
}

# Installs packages into the environment of a folder.
install() { "$1/bin/python" -m pip --disable-pip-version-check install --quiet "${@:2}" >&2; }

make_environment() {
    new_environment "$cache/venv"
    install "$cache/venv" "onnx==$ONNX" "pyflakes==$PYFLAKES" "pytest==$PYTEST" "spox==$SPOX"
    # Not every Python has this one; then the newest that it has.
    install "$cache/venv" "onnxruntime==$ONNXRUNTIME" || install "$cache/venv" onnxruntime
    # Written last: an environment without it was not finished.
    echo "$versions" >"$cache/venv/versions"
}

mkdir -p "$cache"
# A script that sets `newest_releases` makes environments of its own.
if [ -z "${newest_releases:-}" ] && [ "$(cat "$cache/venv/versions" 2>/dev/null)" != "$versions" ]; then
    make_environment
fi
