#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Several hosts on one computer, between wires of a known kind, rate and delay: network namespaces, and a userspace Ethernet
# between them. A script sets $script (its name), $root (the checkout), $inlay (the program) and $hosts (how many), reads this
# file, calls lab_begin, and then lab_run as often as it wants; after lab_wires also lab_up and lab_down. Everything is gone
# when it ends.
#
# $work is a folder of the lab; $work/launch stands for mpirun there, and $work/hosts is its file of hosts.
#
# lab_begin needs inlay-measure and an MPI; lab_wires root, network namespaces, Open MPI and a C compiler, and the folder
# netlab, with vnet.c, beside the data. Where something is not there, they say so: lab_begin ends with status 77, lab_wires
# gives it.
set -u
: "${script:?}" "${root:?}" "${inlay:?}" "${hosts:?}"

netlab=${INLAY_DATA:-$root/../shared/data}/../netlab
lab=inlay-lab # the namespaces are called inlay-lab-PROCESS-NUMBER, after the process that made them
work='' wire='' child=''

lab_skip() { echo "$script: skipped: $1" >&2 && exit 77; }

# ---- Hosts -----------------------------------------------------------------------------------------------------------

# Ends what is in the namespace that a script of ours made, and removes it.
remove() { # NAMESPACE
    local inside
    inside=$(ip netns pids "$1" 2>/dev/null)
    # shellcheck disable=SC2086 # numbers of processes
    [[ -z $inside ]] || kill -KILL $inside 2>/dev/null
    ip netns del "$1"
}

# What a script that was killed left behind.
remove_old() {
    local name maker
    while read -r name _; do
        maker=${name#"$lab-"} maker=${maker%-*}
        [[ $name != "$lab"-* ]] || kill -0 "$maker" 2>/dev/null || remove "$name"
    done < <(ip netns list)
}

lab_down() {
    local i
    [[ -z $wire ]] || { kill "$wire" && wait "$wire"; } 2>/dev/null
    wire=''
    for ((i = 1; i <= hosts; i++)); do
        [[ ! -e /run/netns/$lab-$$-$i ]] || remove "$lab-$$-$i"
    done
}

# Nothing may come in between while all is put away.
lab_clean() {
    trap '' HUP INT TERM
    [[ -z $child ]] || { kill "$child" && wait "$child"; } 2>/dev/null
    lab_down
    [[ -z $work ]] || rm -rf "$work"
}

# A wire of that kind, RATE in Mbit/s, DELAY in ms.
lab_wire() { # KIND RATE DELAY
    local i names=()
    for ((i = 1; i <= hosts; i++)); do
        names+=("$lab-$$-$i")
        ip netns add "$lab-$$-$i" && ip -n "$lab-$$-$i" link set lo up || return
    done
    : >"$work/wire"
    "$work/vnet" "$1" "$2" "$3" "${names[@]}" >"$work/wire" &
    wire=$!
    chrt -f -p 50 "$wire" 2>/dev/null # frames are on time though all cores work
    until grep -q ready "$work/wire"; do
        kill -0 "$wire" 2>/dev/null || return
        sleep 0.05
    done
    for ((i = 1; i <= hosts; i++)); do
        ip -n "$lab-$$-$i" addr add "10.77.0.$i/24" dev eth0 && ip -n "$lab-$$-$i" link set eth0 up || return
    done
}

# Starts a program in the background, so that a signal to this script is heeded at once.
lab_run() {
    local status
    "$@" &
    child=$!
    wait $child
    status=$?
    child=''
    return $status
}

# ---- The launcher ----------------------------------------------------------------------------------------------------

# What stands for ssh, and for mpirun on the first host. Each host has a name of its own. No message is announced before it
# is sent, as MPI else does with large ones: a handshake would come on top of what the wire takes.
lab_launcher() {
    printf '10.77.0.%d slots=1\n' $(seq "$hosts") >"$work/hosts"
    cat >"$work/shell" <<END
#!/bin/sh
host=\${1##*.}
shift
exec ip netns exec $lab-$$-\$host unshare -u sh -c "hostname h\$host; \$*"
END
    cat >"$work/launch" <<END
#!/bin/sh
exec nice -n -15 ip netns exec $lab-$$-1 unshare -u sh -c 'hostname h1 && exec mpirun "\$@"' mpirun \\
    --map-by node --bind-to none --mca plm_rsh_agent "$work/shell" \\
    --mca plm_rsh_no_tree_spawn 1 --mca orte_keep_fqdn_hostnames 1 \\
    --mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \\
    --mca mpi_yield_when_idle 1 --mca btl_tcp_eager_limit 4194304 --mca orte_tmpdir_base "$work" "\$@"
END
    chmod +x "$work/shell" "$work/launch"
}

# ---- What is here ----------------------------------------------------------------------------------------------------

lab_begin() {
    [[ -x $inlay ]] || lab_skip "there is no $inlay"
    [[ -x $(dirname "$inlay")/inlay-measure ]] || lab_skip 'inlay-measure is not built'
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    trap lab_clean EXIT
    trap 'exit 130' HUP INT TERM
    work=$(mktemp -d) || exit
}

lab_check() {
    local program
    [[ $(id -u) = 0 ]] || lab_skip 'only root makes network namespaces'
    for program in ip unshare mpirun mpicc cc awk; do
        command -v "$program" >/dev/null || lab_skip "there is no $program"
    done
    mpirun --version 2>/dev/null | grep -q 'Open MPI' || lab_skip 'mpirun is not that of Open MPI'
    [[ -e $netlab/vnet.c ]] || lab_skip "there is no $netlab/vnet.c"
    [[ -c /dev/net/tun ]] || lab_skip 'there is no /dev/net/tun'
    ip netns list >/dev/null 2>&1 || lab_skip 'there are no network namespaces'
    cc -O2 -w -o "$work/vnet" "$netlab/vnet.c" || lab_skip 'vnet.c does not compile'
}

# Whether wires can be made here.
lab_wires() {
    (trap - EXIT && lab_check) || return
    remove_old
    lab_launcher
}

# A wire of that kind, RATE in Mbit/s, DELAY in ms, between the hosts.
lab_up() { # KIND RATE DELAY
    lab_wire "$@" 2>"$work/errors" || lab_skip "no network can be made here: $(head -n 1 "$work/errors")"
}
