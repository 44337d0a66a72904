# For scripts that source it: a Debian without a toolchain, in a folder that goes at the end. $name is the word before
# messages. It is made with debootstrap or mmdebstrap, from the machine's own sources of packages, and kept for the next time
# in .build/. Needs root.

# Says why a test cannot run, and ends with success: the machine lacks what it needs, and nothing was found wrong.
skip() { echo "$name: skipped: $1"; exit 0; }

# Makes the tree and sets $tree.
make_debian() {
    local suite=${SUITE:-bookworm} base uri
    [ "$(id -u)" -eq 0 ] || skip "a clean Debian needs root"
    base=.build/debian-$suite.tar
    tree=$(mktemp -d)
    chmod 755 "$tree"
    trap remove_debian EXIT
    if [ ! -f "$base" ]; then
        uri=$(awk '$1 == "URIs:" || $1 == "deb" { print $2; exit }' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null)
        if command -v debootstrap >/dev/null; then
            debootstrap --variant=minbase "$suite" "$tree" "$uri" >"$tree.log" 2>&1 || { tail -5 "$tree.log" >&2; skip "debootstrap failed"; }
        elif command -v mmdebstrap >/dev/null; then
            mmdebstrap --variant=minbase "$suite" "$tree" "$uri" >"$tree.log" 2>&1 || { tail -5 "$tree.log" >&2; skip "mmdebstrap failed"; }
        else
            skip "neither debootstrap nor mmdebstrap is installed ('make setup-dist' installs debootstrap)"
        fi
        rm -f "$tree.log"
        # The sources of packages of this machine, with their keys.
        rm -rf "$tree/etc/apt/sources.list" "$tree/etc/apt/sources.list.d"
        cp -a /etc/apt/. "$tree/etc/apt/"
        find "$tree/etc/apt/sources.list.d" -type f ! -name 'debian.*' -delete
        mkdir -p "$tree/etc/ssl/certs"
        cp -aL /etc/ssl/certs/. "$tree/etc/ssl/certs/" 2>/dev/null || true
        tar -C "$tree" -cf "$base.part" . && mv "$base.part" "$base"
    else
        tar -C "$tree" -xf "$base"
    fi
    cp -L /etc/resolv.conf /etc/hosts "$tree/etc/" 2>/dev/null || true
    mount --bind /dev "$tree/dev" || skip "nothing can be mounted"
    mount -t proc proc "$tree/proc" || skip "/proc cannot be mounted"
    in_debian apt-get update -q >/dev/null
}

remove_debian() {
    umount -l "$tree/proc" "$tree/dev" 2>/dev/null || true
    mountpoint -q "$tree/proc" || mountpoint -q "$tree/dev" || rm -rf --one-file-system "$tree"
}

# Runs a command in the tree.
in_debian() { (exec_in_debian "$@"); }

# Becomes a command in the tree: with `&` its process is $!.
exec_in_debian() {
    exec chroot "$tree" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
