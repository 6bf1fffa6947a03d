# SPDX-License-Identifier: GPL-3.0-or-later
#
# Inlay's build, for GNU make. `make help` lists the targets; everything runs from build/ without installing.
#
#   SANITIZE=yes   build and test in build/sanitize, or with CC=clang in build/clang, with address and undefined-behaviour
#                  checks
#   SETUP=no       install no packages: say what is missing and stop (plain `make` never installs any)
#   TESTS=...      check-unit: only these suites; check-cli: only the cases whose name contains this; bench: only these
#   BENCH=full     bench: the largest sizes too
#   V=1            show the commands
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS, PREFIX and DESTDIR are the user's own and are added to what stands here.

PREFIX  = /usr/local
BINDIR  = $(PREFIX)/bin
LIBDIR  = $(PREFIX)/lib
INCDIR  = $(PREFIX)/include
MANDIR  = $(PREFIX)/share/man
COMPDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR  = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
DOCDIR  = $(PREFIX)/share/doc/inlay
VERSION := $(shell sed -n 's/^.define INLAY_VERSION "\(.*\)"/\1/p' include/inlay/inlay.h)
ABI     = 0# raised when programs linked with libinlay.so must be compiled anew

# None of make's own rules is tried: with a thousand sources and their headers that takes seconds.
MAKEFLAGS += -r

PACKAGES = igraph gsl libcgraph libgvc jansson zlib libxml-2.0

# ---- What is built from what: a new source file, header or test needs no edit here -----------------------------------

B := build$(if $(filter yes,$(SANITIZE)),/$(if $(filter clang%,$(CC)),clang,sanitize))
# Ranks of the tests of irregular loops: fewer where each step takes several times as long.
export RANKS ?= $(if $(filter yes,$(SANITIZE)),5,8)

# Rooms that need more than the library: libinlay-NAME.
EXTRA     := irregular csource
extra_sources = $(wildcard src/$1/*.c src/$1/*/*.c)
LIB_SRC   := $(filter-out $(EXTRA:%=src/%/%) src/synth/template/% src/capture/recorder/%,$(wildcard src/*/*.c src/*/*/*.c))
# What `inlay capture` loads into other programs: inlay-capture-NAME.so of recorder/NAME.c.
RECORDER  := src/capture/recorder
# Programs of their own, as tools/parts.sh has them, in tools/NAME or, where that is a command of inlay too, in
# tools/NAME/mpi; the other folders of tools are commands of inlay.
PARTS     := compress maploop measure partition simgrid study
part_folder = $(or $(wildcard tools/$1/mpi),tools/$1)
PART_SRC  := $(foreach p,$(PARTS),$(wildcard $(call part_folder,$p)/*.c))
TOOL_SRC  := $(wildcard tools/*.c) $(filter-out $(PART_SRC),$(wildcard tools/*/*.c))
UNIT_SRC  := $(wildcard tests/unit/*.c) bench/study.c bench/optimum.c
MPI_UNIT_SRC := $(wildcard tests/irregular/*.c)
BENCH_SRC := $(wildcard bench/*.c)
HEADERS   := $(wildcard include/inlay/*.h)
SCRIPTS   := $(wildcard tools/*.sh tests/*.sh tests/*/*.sh docs/studies/*.sh .ci/run)
SUITES    := $(patsubst tests/unit/test_%.c,%,$(wildcard tests/unit/test_*.c))
# A benchmark is bench/NAME.c; what they share has a header beside it.
BENCH_OWN := $(patsubst %.h,%.c,$(wildcard bench/*.h))
BENCHES   := $(patsubst bench/%.c,%,$(filter-out $(BENCH_OWN) bench/quality.c,$(BENCH_SRC)))

LIB_OBJ   := $(LIB_SRC:%.c=$B/obj/%.o)
extra_objects = $(patsubst %.c,$B/obj/%.o,$(call extra_sources,$1))
MPI_UNIT_OBJ  := $(MPI_UNIT_SRC:%.c=$B/obj/%.o)
TOOL_OBJ  := $(TOOL_SRC:%.c=$B/obj/%.o)
PART_OBJ  := $(PART_SRC:%.c=$B/obj/%.o)
UNIT_OBJ  := $(UNIT_SRC:%.c=$B/obj/%.o)
BENCH_OBJ := $(BENCH_SRC:%.c=$B/obj/%.o)

# ---- Flags -----------------------------------------------------------------------------------------------------------

WARNINGS = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
LANGUAGE = -std=c17 -D_POSIX_C_SOURCE=200809L
# clang has no macro that tells of the address sanitizer: it is given gcc's.
CHECKED  = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1 \
           $(if $(filter clang%,$(CC)),-D__SANITIZE_ADDRESS__=1)

# -ffp-contract=off: the same digits on every processor.
FLAGS = $(LANGUAGE) -O2 -g -ffp-contract=off -fPIC -fvisibility=hidden -pthread $(WARNINGS) \
        $(if $(filter true,$(CI)),-Werror) $(if $(filter yes,$(SANITIZE)),$(CHECKED)) $(CPPFLAGS) $(CFLAGS)

# What pkg-config and tools/parts.sh say is asked once and kept in parts.mk, until packages come or go, which these folders
# show. Other people's headers are system headers: our warnings are about our code.
PACKAGED = $(wildcard /usr/include /usr/bin /usr/lib /usr/lib/*/pkgconfig /usr/local/include /usr/local/bin /usr/local/lib/pkgconfig)
UNBUILT  = clean dist help uninstall format setup bench-setup

$B/parts.mk: tools/parts.sh Makefile $(PACKAGED) | setup
	@mkdir -p $(@D); CC='$(CC)' sh tools/parts.sh make '$(PACKAGES)' >$@.part && mv $@.part $@

ifneq ($(filter-out $(UNBUILT),$(or $(MAKECMDGOALS),all)),)
include $B/parts.mk
endif

# The tools and the benchmarks see the public headers alone.
LIB_INCLUDES   = -Iinclude -Isrc -I$B/obj/src $(PKG_CFLAGS) $(library_flags)
TOOL_INCLUDES  = -Iinclude -Itools $(PKG_CFLAGS)
UNIT_INCLUDES  = $(LIB_INCLUDES) -Itests/unit -Ibench -I$B/obj/tests/unit $(CHECK_CFLAGS)
BENCH_INCLUDES = -Iinclude -Ibench $(PKG_CFLAGS)

# ---- Building --------------------------------------------------------------------------------------------------------

.DEFAULT_GOAL := all
.PHONY: all mpi-unit bench-solvers bench-kernels demo check check-unit check-cli check-maploop check-data fuzz bench quality bench-setup lint format install uninstall dist deb check-deb clean setup help FORCE
.DELETE_ON_ERROR:

# Beside the main program the libraries and programs of their own whose packages are there.
all: $B/inlay $B/libinlay.a $B/libinlay.so $(LIBRARIES:%=$B/%.a) $(LIBRARIES:%=$B/%.so) $(PROGRAMS:%=$B/%) $(RECORDERS:%=$B/inlay-capture-%.so) ## build the program, the libraries and the parts that can be (default)

# The libraries of irregular loops, on MPI and PT-Scotch, and of C sources, on libclang. The shared ones have the diagnostics
# and arrays of libinlay in them.
.SECONDEXPANSION:
$(EXTRA:%=$B/libinlay-%.a): $B/libinlay-%.a: $$(call extra_objects,$$*) $B/obj/%.sources
	$(call run,AR) rm -f $@ && $(AR) rcs $@ $(call extra_objects,$*)

$(EXTRA:%=$B/libinlay-%.so.$(ABI)): $B/libinlay-%.so.$(ABI): $$(call extra_objects,$$*) $B/obj/%.sources $B/libinlay.a
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -o $@ $(call extra_objects,$*) \
	    $B/libinlay.a -Wl,--exclude-libs,libinlay.a $(libs_$*) $(PKG_LIBS)

$(EXTRA:%=$B/libinlay-%.so): %: %.$(ABI)
	@ln -sf $(<F) $@

# Its allocations, not those of shared libraries, go through tests/irregular/starved.c, and Open MPI's sched_yield() is main.c's.
$B/unit-irregular: $(MPI_UNIT_OBJ) $B/libinlay-irregular.a $B/libinlay.a
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) -rdynamic $(foreach f,malloc calloc realloc free,-Wl,--wrap=$f) -o $@ $^ $(libs_irregular) $(PKG_LIBS)

$B/inlay-partition: $B/libinlay-irregular.a
$B/inlay-compress $B/inlay-maploop: $B/libinlay-csource.a

# inlay-NAME is made of its folder and of the tools, all but the main program's own file.
part_objects = $(patsubst %.c,$B/obj/%.o,$(wildcard $(call part_folder,$1)/*.c))
$(PARTS:%=$B/inlay-%): $B/inlay-%: $$(call part_objects,$$*) $(filter-out $B/obj/tools/inlay.o,$(TOOL_OBJ)) $B/libinlay.a
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) -o $@ $^ $(libs_$*) $(PKG_LIBS)

# A recorder is in other people's programs: no sanitizers, and nothing of libinlay.
# Its files are NAME.c and NAME_*.c.
$B/inlay-capture-%.so: $$(wildcard $(RECORDER)/$$*.c $(RECORDER)/$$*_*.c) $(RECORDER)/write.c $(wildcard $(RECORDER)/*.h src/capture/*log.h) $B/obj/flags
	$(call run,LINK) $(CC) $(filter-out $(CHECKED),$(FLAGS)) -D_GNU_SOURCE -Isrc $(cflags_$*) $(LDFLAGS) -shared -o $@ $(filter %.c,$^) -ldl

# $(call run,WORD) begins a command: it makes the target's folder and says WORD and the target in place of the command.
run = @mkdir -p $(@D); $(if $V,set -x,printf '  %-5s %s\n' $1 $@);
quote = '$(subst ','\'',$1)'

# Programs that `inlay profile` loads call the library that the program has in it: all of it, and by name.
$B/inlay: $(TOOL_OBJ) $B/libinlay.a
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) -rdynamic -o $@ $(TOOL_OBJ) \
	    -Wl,--whole-archive $B/libinlay.a -Wl,--no-whole-archive $(PKG_LIBS)

# --wrap lets a test refuse the library its allocations
$B/unit: $(UNIT_OBJ) $B/libinlay.a
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) $(foreach f,malloc calloc realloc,-Wl,--wrap=$f) -o $@ \
	    $(UNIT_OBJ) $B/libinlay.a $(PKG_LIBS) $(CHECK_LIBS)

$(BENCHES:%=$B/bench/%) $B/bench/quality: $B/bench/%: $B/obj/bench/%.o $(BENCH_OWN:%.c=$B/obj/%.o) $B/libinlay.a
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

# The benchmark of irregular loops starts solvers and an exchanger, where the library that they need can be built; the latter
# knows PETSc where that is there (petsc-dev), and nothing else does.
SOLVERS := euler cg
KERNELS := kernels by_hand kernels-mpi
SOLVER_OBJ := $(patsubst %,$B/obj/docs/examples/irregular/%.o,$(SOLVERS) program)
$B/bench/irregular: | bench-solvers
bench-solvers: $(patsubst %-irregular,$(SOLVERS:%=$B/bench/%) $B/bench/exchange,$(filter %-irregular,$(LIBRARIES)))
$(SOLVERS:%=$B/bench/%): $B/bench/%: $B/obj/docs/examples/irregular/%.o $B/obj/docs/examples/irregular/program.o $B/libinlay-irregular.a \
    $B/libinlay.a
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) -o $@ $^ $(libs_irregular) $(PKG_LIBS)
$B/bench/exchange: bench/mpi/exchange.c $B/libinlay-irregular.a $B/libinlay.a
	$(call run,LINK) if pkg-config --exists PETSc; then set -- $$(pkg-config --cflags-only-I PETSc | sed 's/-I/-isystem /g'); \
	    set -- -DPETSC "$$@" $$(pkg-config --libs PETSc); else set --; fi; \
	    $(CC) $(FLAGS) $(LDFLAGS) -Iinclude $(cflags_irregular) -o $@ $^ "$$@" $(libs_irregular) $(PKG_LIBS)

# Kernels with marked loops, as they are, written for MPI by hand, and as inlay maploop makes them: programs of users.
KERNEL_FLAGS = $(LANGUAGE) -O2 -Wall -Wextra -Wno-unknown-pragmas $(CPPFLAGS) $(CFLAGS)
$B/bench/maploop: | bench-kernels
bench-kernels: $(if $(filter %-csource,$(LIBRARIES)),$(patsubst %-irregular,$(KERNELS:%=$B/bench/%),$(filter %-irregular,$(LIBRARIES))))
$B/bench/kernels-mpi.c: bench/mpi/kernels.c bench/mpi/kernels.h $B/inlay $B/inlay-maploop
	$(call run,MAKE) mkdir -p $(@D) && $B/inlay maploop --arrays whole $< -o $@ 2>$(@:.c=.log)
$B/bench/kernels-mpi: $B/bench/kernels-mpi.c
$B/bench/by_hand: bench/mpi/by_hand.c bench/mpi/kernels.h
$B/bench/kernels: bench/mpi/kernels.c bench/mpi/kernels.h
	$(call run,LINK) $(CC) $(KERNEL_FLAGS) $(LDFLAGS) -o $@ $< -lm
$B/bench/by_hand $B/bench/kernels-mpi: $B/libinlay-irregular.a $B/libinlay.a
	$(call run,LINK) $(CC) $(KERNEL_FLAGS) $(LDFLAGS) -Iinclude -Ibench/mpi $(cflags_irregular) -o $@ $(filter %.c,$^) $(filter %.a,$^) \
	    $(libs_irregular) $(PKG_LIBS)

$B/libinlay.a: $(LIB_OBJ) $B/obj/sources
	$(call run,AR) rm -f $@ && $(AR) rcs $@ $(LIB_OBJ)

$B/libinlay.so.$(ABI): $(LIB_OBJ) $B/obj/sources
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -o $@ $(LIB_OBJ) $(PKG_LIBS)

$B/libinlay.so: $B/libinlay.so.$(ABI)
	@ln -sf $(<F) $@

$(LIB_OBJ):   INCLUDES = $(LIB_INCLUDES)
$(TOOL_OBJ):  INCLUDES = $(TOOL_INCLUDES)
$(PART_OBJ):  INCLUDES = $(TOOL_INCLUDES) -I$(<D) $(cflags_$(notdir $(patsubst %/mpi,%,$(<D))))
$(UNIT_OBJ):  INCLUDES = $(UNIT_INCLUDES)
$(BENCH_OBJ): INCLUDES = $(BENCH_INCLUDES)
$(SOLVER_OBJ): INCLUDES = -Iinclude $(cflags_irregular)
$(foreach l,$(EXTRA),$(eval $(call extra_objects,$l): INCLUDES = $$(LIB_INCLUDES) $$(cflags_$l)))
$(MPI_UNIT_OBJ):  INCLUDES = $(LIB_INCLUDES) -Itests/irregular -I$B/obj/tests/irregular $(cflags_irregular)
$(UNIT_OBJ): $B/obj/tests/unit/suites.inc
$(MPI_UNIT_OBJ): $B/obj/tests/irregular/suites.inc
$B/obj/src/synth/write.o: $B/obj/src/synth/template.inc

# The text of the synthetic programs, a string literal a line.
$B/obj/src/synth/template.inc: src/synth/template/program.c
	@mkdir -p $(@D); sed 's/[\\"]/\\&/g; s/.*/"&\\n",/' $< >$@

# What the page of a report is made of, as the bytes of arrays.
PAGE = page.html page.css page.js uplot.css uplot.js
$B/obj/src/report/page.o: $(PAGE:%=$B/obj/src/report/page/%.inc)
$B/obj/src/report/page/%.inc: src/report/page/%
	@mkdir -p $(@D); od -An -v -td1 $< | sed 's/[0-9][0-9]*/&,/g' >$@

$B/obj/%.o: %.c $B/obj/flags
	$(call run,CC) $(CC) $(FLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

-include $(LIB_OBJ:.o=.d) $(TOOL_OBJ:.o=.d) $(PART_OBJ:.o=.d) $(UNIT_OBJ:.o=.d) $(BENCH_OBJ:.o=.d)
-include $(foreach l,$(EXTRA),$(patsubst %.o,%.d,$(call extra_objects,$l))) $(MPI_UNIT_OBJ:.o=.d) $(EULER_OBJ:.o=.d)

# Files that hold a value of this Makefile. They are rewritten when it changes, so that what depends on it is rebuilt:
# objects on the flags, libraries and programs on the list of sources, the unit tests on the list of suites.
hold = @mkdir -p $(@D); printf '%s\n' $1 | cmp -s - $@ || printf '%s\n' $1 >$@

$B/obj/flags: FORCE | setup
	$(call hold,$(call quote,$(CC) $(FLAGS) $(PKG_CFLAGS) $(library_flags)))
$(EXTRA:%=$B/obj/%.sources): $B/obj/%.sources: FORCE
	$(call hold,$(call extra_sources,$*))
$B/obj/sources: FORCE
	$(call hold,$(LIB_SRC) $(TOOL_SRC))
$B/obj/tests/unit/suites.inc: FORCE
	$(call hold,$(patsubst %,'SUITE(%)',$(SUITES)))
$B/obj/tests/irregular/suites.inc: FORCE
	$(call hold,$(patsubst tests/irregular/test_%.c,'SUITE(%)',$(wildcard tests/irregular/test_*.c)))

# ---- Set-up: the packages that the goals of this run need ------------------------------------------------------------

TESTING    = check check-unit check-cli check-maploop check-data fuzz

# Only goals that try or test Inlay install packages by themselves.
INSTALLING = $(filter demo bench bench-setup $(TESTING) lint setup,$(MAKECMDGOALS))
SETUP     ?= $(if $(INSTALLING),yes,no)
SETUP_FOR  = $(if $(filter lint format,$(MAKECMDGOALS)),lint,$(if $(filter check%,$(MAKECMDGOALS)),check,build))

setup: ## install the packages that are missing (SETUP_FOR=build, mpi, parts, check, bench or lint; default build)
	@SETUP=$(SETUP) sh tools/setup.sh $(SETUP_FOR)

# ---- Trying and testing ----------------------------------------------------------------------------------------------

export INLAY = $(CURDIR)/$B/inlay

# The demo runs a program with MPI where there is one or it can be installed, and goes on where not.
demo: all ## lay example programs into machines, compare the five of the paper, run one here; see out/
	@SETUP=$(SETUP) sh tools/setup.sh mpi || true
	@sh tools/demo.sh

# A sanitizer's finding ends with a status of its own, which no test case expects. It tells eight of the functions that a piece
# of memory was asked for in: to keep thirty takes a tenth of the time.
$(TESTING): export ASAN_OPTIONS = exitcode=99:quarantine_size_mb=16:malloc_context_size=8
$(TESTING): export UBSAN_OPTIONS = exitcode=99:print_stacktrace=1
$(TESTING): export LSAN_OPTIONS = exitcode=99:print_suppressions=0:suppressions='$(CURDIR)/tests/lsan.supp'

LOCALE = tests/locale.sh $B/libinlay.a $(EXTRA:%=$B/libinlay-%.a)

check: all $B/unit mpi-unit ## run all tests, also those behind one that fails
	@tests/stages.sh $@ 'tests/unit.sh $B/unit' '$(LOCALE)' tests/diag.sh tests/irregular.sh tests/cli-selftest.sh tests/cli.sh tests/install.sh tests/python.sh tests/docs.sh 'tests/report.sh $B/inlay'
check-unit: all $B/unit mpi-unit ## run the unit tests
	@tests/stages.sh $@ 'tests/unit.sh $B/unit $(TESTS)' $(if $(TESTS),,'$(LOCALE)' tests/diag.sh tests/irregular.sh)
# The tests that MPI starts, where the library that they test can be built.
mpi-unit: $(patsubst %-irregular,$B/unit-irregular,$(filter %-irregular,$(LIBRARIES)))
check-cli: all ## run the command-line tests
	@tests/stages.sh $@ tests/cli-selftest.sh 'tests/cli.sh $(TESTS)'
check-maploop: all ## run all programs with marked loops, serial and on 1, 2, 4 and 7 ranks
	@tests/maploop/run.sh $(TESTS)

# libFuzzer's target: what reads compiled once more for it, all else as the tests with sanitizers have it. clang alone has it.
fuzz: ## feed every reader with damaged files, FUZZ_SECONDS (5) each (TESTS=FORMAT)
	@$(MAKE) CC=clang SANITIZE=yes build/clang/inlay build/clang/inlay-fuzz
	@INLAY=build/clang/inlay tests/fuzz/run.sh build/clang/inlay-fuzz $(TESTS)

FUZZED   := $(filter src/base/% src/graph/% src/io/%,$(LIB_SRC))
FUZZ_OBJ := $(FUZZED:%.c=$B/fuzz/%.o)
$(FUZZ_OBJ): INCLUDES = $(LIB_INCLUDES) -fsanitize=fuzzer-no-link
$B/fuzz/%.o: %.c $B/obj/flags
	$(call run,CC) $(CC) $(FLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<
-include $(FUZZ_OBJ:.o=.d)

# No member of the library is taken whose functions stand before it.
$B/inlay-fuzz: $B/obj/tests/fuzz/fuzz.o $(FUZZ_OBJ) $B/libinlay.a
	$(call run,LINK) $(CC) $(FLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(PKG_LIBS)
$B/obj/tests/fuzz/fuzz.o: INCLUDES = -Iinclude

# The data are in INLAY_DATA; rules.tsv says what is expected of which format.
check-data: all ## read every file of the test data and compare with its manifest (TESTS=PART of a path)
	@tests/data/check.sh $(TESTS) || [ $$? = 77 ]

# ---- Measuring: no part of the tests, for times differ between computers ---------------------------------------------

# netlab is no program of bench/: it measures networks that are known, where it can make them.
BENCHED = $(or $(TESTS),$(BENCHES) netlab)
TIMED   = $(filter-out netlab,$(BENCHED))

bench: $(TIMED:%=$B/bench/%) $(if $(filter netlab,$(BENCHED)),all) ## time what Inlay does, beside METIS and Scotch (BENCH=full, TESTS=NAME)
	@for b in $(TIMED); do $B/bench/$$b $(filter full,$(BENCH)) || exit; done
	@$(if $(filter netlab,$(BENCHED)),tests/netlab.sh || [ $$? = 77 ])

# How good schedules are, where the optimum is known; the data are in INLAY_DATA.
quality: $B/bench/quality ## print how far method best is from known optima and from its rivals (TESTS='small stg gxl auckland generated workflows tiles unlike hunt', INLAY_EFFORT=N or 2s)
	@INLAY_DATA=$${INLAY_DATA:-../shared/data} $B/bench/quality $(TESTS)

bench-setup: ## install METIS and Scotch for the benchmarks
	@SETUP=$(SETUP) sh tools/setup.sh bench

# ---- Style and static analysis ---------------------------------------------------------------------------------------

FORMATTED = $(wildcard src/*/*.[ch] src/*/*/*.[ch] include/inlay/*.h tools/*.[ch] tools/*/*.[ch] tools/*/*/*.[ch] tests/unit/*.[ch] tests/starve/*.[ch] tests/irregular/*.[ch] tests/fuzz/*.c bench/*.[ch] bench/*/*.[ch])
CPUS      = $(shell nproc)
# The analyser follows at most so many states of a function, an eighth of what it does by default, and takes a fifth of the time.
EFFORT    = -Xclang -analyzer-config -Xclang max-nodes=30000
tidy      = printf '%s\n' $1 | xargs -r -P $(CPUS) -n 1 sh -c \
            'said=$$(clang-tidy --quiet "$$1" -- $(LANGUAGE) $(EFFORT) $2 2>&1) || { printf "%s\n" "$$said"; exit 1; }' tidy

lint: setup $B/obj/src/synth/template.inc $(PAGE:%=$B/obj/src/report/page/%.inc) ## check the layout of the sources and analyse them
	clang-format --dry-run -Werror $(FORMATTED)
	shellcheck $(SCRIPTS)
	cppcheck -q -j $(CPUS) --std=c11 --enable=warning,style,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppressions-list=tests/cppcheck.supp -Iinclude -Isrc -Itools -Ibench src tools bench
	@echo clang-tidy src tools bench
	@$(call tidy,$(LIB_SRC),$(LIB_INCLUDES))
	@$(call tidy,$(TOOL_SRC),$(TOOL_INCLUDES))
	@$(foreach p,$(PARTS),$(call tidy,$(wildcard $(call part_folder,$p)/*.c),$(TOOL_INCLUDES) -I$(call part_folder,$p) $(cflags_$p)) &&) true
	@$(foreach r,$(RECORDERS),$(call tidy,$(wildcard $(RECORDER)/$r.c $(RECORDER)/$r_*.c),-D_GNU_SOURCE -Isrc $(cflags_$r)) &&) true
	@$(foreach l,$(EXTRA),$(call tidy,$(call extra_sources,$l),$(LIB_INCLUDES) $(cflags_$l)) &&) true
	@$(call tidy,$(BENCH_SRC),$(BENCH_INCLUDES))

format: ## lay the sources out as .clang-format says
	clang-format -i $(FORMATTED)

# ---- Installing ------------------------------------------------------------------------------------------------------

# The lines of inlay.pc. Libs.private names the libraries one by one: Requires.private would ask for what they need in
# turn, which distributions do not install for programs that use them shared.
PC = 'prefix=$(PREFIX)' 'includedir=$(INCDIR)' 'libdir=$(LIBDIR)' '' \
     'Name: inlay' 'Description: Lays application graphs into machine graphs and predicts the elapsed time' \
     'Version: $(VERSION)' 'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -linlay' \
     'Libs.private: $(strip $(PKG_LIBS)) -pthread'

about_irregular = Irregular loops on MPI: data and iterations distributed at run time
about_csource = C programs: operations counted, marked loops moved to MPI
extra_pc = 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' '' 'Name: inlay-$1' 'Description: $(about_$1)' 'Version: $(VERSION)' \
     'Requires: inlay' 'Libs: -L$${libdir} -linlay-$1' 'Libs.private: $(strip $(libs_$1))'

D = $(DESTDIR)

# The loader finds what lies under /usr through its cache.
LDCONFIG = $(if $D,,$(if $(filter /usr/%,$(LIBDIR)),ldconfig || true))

install: all ## install program, libraries, headers, manual pages, completion, documents and inlay.pc under PREFIX
	install -d "$D$(BINDIR)" "$D$(LIBDIR)/pkgconfig" "$D$(INCDIR)/inlay" "$D$(MANDIR)/man1" "$D$(COMPDIR)" "$D$(ZSHDIR)" "$D$(FISHDIR)" "$D$(DOCDIR)"
	install -m 755 $B/inlay "$D$(BINDIR)"
	for p in $(PROGRAMS) $(RECORDERS:%=inlay-capture-%.so); do install -m 755 $B/$$p "$D$(BINDIR)" || exit; done
	install -m 644 $B/libinlay.a $B/libinlay.so.$(ABI) "$D$(LIBDIR)"
	ln -sf libinlay.so.$(ABI) "$D$(LIBDIR)/libinlay.so"
	set -e; for l in $(LIBRARIES); do install -m 644 $B/$$l.a $B/$$l.so.$(ABI) "$D$(LIBDIR)"; \
	    ln -sf $$l.so.$(ABI) "$D$(LIBDIR)/$$l.so"; done
	$(foreach l,$(LIBRARIES:libinlay-%=%),printf '%s\n' $(call extra_pc,$l) >"$D$(LIBDIR)/pkgconfig/inlay-$l.pc" &&) true
	install -m 644 $(HEADERS) "$D$(INCDIR)/inlay"
	printf '%s\n' $(PC) >"$D$(LIBDIR)/pkgconfig/inlay.pc"
	set -e; for c in $$($B/inlay help --commands); do $B/inlay help --man $$c >"$D$(MANDIR)/man1/inlay-$$c.1"; done
	$B/inlay help --man >"$D$(MANDIR)/man1/inlay.1"
	$B/inlay help --completion bash >"$D$(COMPDIR)/inlay"
	$B/inlay help --completion zsh >"$D$(ZSHDIR)/_inlay"
	$B/inlay help --completion fish >"$D$(FISHDIR)/inlay.fish"
	tar cf - --exclude=__pycache__ README.md CHANGELOG.md COPYING docs graphs architectures | tar xf - --no-same-owner -C "$D$(DOCDIR)"
	$(LDCONFIG)

uninstall: ## remove what install put there
	rm -f "$D$(BINDIR)/inlay" $(PARTS:%="$D$(BINDIR)/inlay-%") "$D$(BINDIR)"/inlay-capture-*.so "$D$(LIBDIR)"/libinlay.* $(EXTRA:%="$D$(LIBDIR)"/libinlay-%.*)
	rm -f "$D$(LIBDIR)"/pkgconfig/inlay.pc $(EXTRA:%="$D$(LIBDIR)"/pkgconfig/inlay-%.pc) "$D$(MANDIR)"/man1/inlay.1 "$D$(MANDIR)"/man1/inlay-*.1
	rm -f "$D$(COMPDIR)/inlay" "$D$(ZSHDIR)/_inlay" "$D$(FISHDIR)/inlay.fish"
	rm -rf "$D$(INCDIR)/inlay" "$D$(DOCDIR)"
	$(LDCONFIG)

dist: ## write build/inlay-VERSION.tar.gz of what is committed: it builds and installs without a network
	@mkdir -p build
	git archive --format=tar.gz --prefix=inlay-$(VERSION)/ -o build/inlay-$(VERSION).tar.gz HEAD

deb: all ## write Debian packages to build/deb
	rm -rf $B/deb
	@MAKE='$(MAKE)' tools/deb.sh $B/deb
check-deb: deb ## install, run and remove them in a new Debian (root alone; takes minutes)
	@tests/deb.sh $B/deb

clean: ## remove build/ and out/
	rm -rf build out

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/  \1	\2/p' Makefile | expand -t 16
