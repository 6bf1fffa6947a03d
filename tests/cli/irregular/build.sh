# Read by the cases beside it. Makes ./euler and ./cg from the examples, and whatever else `compile` is given.
folder=$(dirname "$INLAY")
! grep -q __asan_init "$INLAY" || { echo 'the library has sanitizers, which the program would need too' >&2 && exit 77; }
[ -f "$folder/libinlay-irregular.so" ] || { echo 'libinlay-irregular is not built' >&2 && exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1
compile() { # PROGRAM FILE...
    program=$1
    shift
    mpicc -std=c17 -O2 -Wall -Wextra -Werror -I"$ROOT/include" "$@" -L"$folder" -linlay-irregular -linlay \
        -Wl,-rpath,"$folder" -lm -o "$program" || exit
}
# shellcheck disable=SC2034 # the cases use it
examples=$ROOT/docs/examples/irregular
