# shellcheck shell=sh
measure() { # of a machine that raw.awk makes up; OPTIONS of measure in one word
    options=$1
    shift
    # shellcheck disable=SC2086 # several words
    LC_ALL=C awk -f tests/measure/raw.awk "$@" | inlay measure --from - --json --quiet $options 2>"$FOLDER/said"
}
measure '--topology tree' -v hosts=2 -v ranks=3 -v topology=tree
measure '' -v hosts=1 -v memories=null -v numa=2
measure '' -v hosts=2 -v kept='1e-6 1e-10 2e-6 3e-10' -v waits_from=65536
measure '' -v hosts=1 -v ranks=2 -v kept='1e-7 0 2e-7 1e-10'
measure '' -v hosts=3 -v ranks=2 -v step=100e-6 -v sampled=2 -v kind=half -v core_kind=half
measure '' -v hosts=3 -v ranks=2 -v core_kind=bus -v g=0 -v speeds='1 2'
measure '--topology 1-D,ring,tree' -v hosts=2 -v kind=bus -v ranks='4 1' -v clusters='0,1' -v core_kind=bus -v f=linear \
    -v topology='1-D ring tree'
measure '--topology tree' -v hosts=1 -v ranks=5 -v f=log -v topology=tree
measure '--topology ring' -v hosts=1 -v ranks=3 -v topology=ring -v sizes='8 1024'
