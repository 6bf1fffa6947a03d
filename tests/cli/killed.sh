# shellcheck shell=sh
# For cases that kill inlay while a program runs that it started: all of it ends, and the private folder is gone.
mkdir tmp
export TMPDIR="$PWD/tmp"
mkfifo alive
# a program with two children; stubborn, they do not heed signals
cat >slow <<'SCRIPT'
#!/bin/sh
[ "$1" != --version ] || exit 0
[ ! -e stubborn ] || trap '' TERM
sleep 1000 &
sleep 1000 &
echo started >&9
wait
wait
SCRIPT
chmod +x slow

# Who is alive, also the guard, holds the pipe's end 9: its text is at an end when all are gone.
killed() { # WORD...
    inlay "$@" 9>alive >/dev/null 2>&1 &
    {
        read -r word
        for folder in tmp/*; do [ ! -d "$folder" ] || echo "${folder%%-*}-XXXXXX"; done
        kill -KILL $!
        cat
    } <alive
    wait $! 2>said
    echo "$word, then status $?, and $(find tmp -mindepth 1 | wc -l) left"
}
