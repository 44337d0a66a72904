# For scripts that source it: a service with its simulator, in a folder that goes at the end, and tools from PyPI. $dossier is
# the binary, $name the word before messages, $simulator_flags what the simulator is given.

folder=$(mktemp -d)
processes=()
finish() {
    for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
    wait
    rm -rf "$folder"
}
trap finish EXIT

# Starts the simulator and the service, and sets $url. Its argument is the database, if that is not to be a new file.
start_service() {
    # shellcheck disable=SC2086
    "$dossier" simulate --listen 127.0.0.1:0 ${simulator_flags:-} >"$folder/simulator.txt" 2>&1 &
    processes+=($!)
    for _ in $(seq 300); do ! grep -q YOUTUBE_BASE_URL "$folder/simulator.txt" || break; sleep 0.1; done
    eval "$(grep '^export' "$folder/simulator.txt")"
    DOSSIER_RATE_LIMIT=0 "$dossier" serve --listen 127.0.0.1:0 --database "${1:-sqlite:$folder/dossier.db}" --workers 1 \
        >"$folder/serve.txt" 2>&1 &
    processes+=($!)
    for _ in $(seq 300); do
        url=$(grep -oE '(listens on |"listening","url":")http://127\.0\.0\.1:[0-9]+' "$folder/serve.txt" | grep -oE 'http:.*') && return
        sleep 0.1
    done
    tail -5 "$folder/serve.txt" >&2
    echo "$name: the service does not listen" >&2
    exit 1
}

# Installs a list of packages into a folder, once for each version of the list.
install_tools() {
    local list=$1 target=$2
    cmp -s "$list" "$target/requirements.txt" && return
    rm -rf "$target"
    python3 -m venv "$target"
    "$target/bin/pip" install -q --disable-pip-version-check -r "$list"
    cp "$list" "$target/requirements.txt"
}
