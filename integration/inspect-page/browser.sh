# Sets `here`, `target`, `browser` and `DRIVER` for the scripts of this folder, and installs the
# driver. Exits with 77 if a tool is absent.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}/inspect-page
driver=playwright-core@1.65.1

browser=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
    [[ -n $browser ]] || browser=$(command -v "$name" || true)
done
if [[ -z $browser ]] || ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "needs Chromium, node and npm"
    exit 77
fi
mkdir -p "$target"
if [[ ! -d $target/node_modules/playwright-core ]]; then
    if ! timeout 300 npm install --silent --no-save --prefix "$target" "$driver"; then
        echo "npm cannot install $driver"
        exit 77
    fi
fi
export CHROMIUM=$browser DRIVER=$target
