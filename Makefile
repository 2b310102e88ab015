# Each target works as the first command on a fresh clone.

LIBRARIES := FluxCore FluxJSON FluxLog FluxRules FluxReplay FluxHost FluxRecorder FluxTesting FluxXCTest FluxInspector \
  FluxCommands
BENCHMARKS := Benchmarks/.build/release/flux-benchmarks
RESULTS := Benchmarks/Results
SOURCES := Package.swift $(wildcard Sources Tests Examples Plugins) \
  $(wildcard Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests Fuzz/Package.swift Fuzz/Sources)

# Where `make install` puts the program: DESTDIR is a folder that stands for the root of the file system.
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: run tour test verify apple-check outside release install uninstall dist check-install traces mutants faults same-output fuzz pictures check check-all lint build docs sanitize bench bench-build bench-test \
  bench-check bench-compare bench-pairs bench-docs bench-page headers clean

# Compiles each test module at once; see Package.swift.
export FLUX_WHOLE_TESTS = 1

# A release is optimized anyway, and unsafe flags do not suit a package that others depend on.
release outside check-install bench-build bench-page-program bench-test test-optimized traces: FLUX_OPTIMIZED =

# What stages need of a build. The gate has just built everything when it comes to them, and only planning a build takes
# seconds, so it sets FLUX_IS_BUILT.
BUILT = $(if $(FLUX_IS_BUILT),@true,swift build)

# Opens the TodoMVC recording in the inspector.
run: | headers
	@Scripts/run

# The same as where there is no terminal: a tour that says what it does.
tour: | headers
	@Scripts/run < /dev/null

test: | headers
	swift test --parallel

# What each file of the tests costs to compile, and its slowest function; MODULE=FluxLogTests for one module.
.PHONY: test-costs
test-costs: build
	Scripts/test-costs $(MODULE)

# The recordings: what verify says of each has to be what it said before.
verify: | headers
	$(BUILT)
	Scripts/verify-recordings
	Scripts/check-rules

# Type-checks the libraries for iOS and the rest for macOS, on Linux, after a self-test that must find known errors. ALL=1
# checks everything for all of Apple's platforms, and the tests. The head of the script says what this proves.
apple-check:
	nice -n 19 Scripts/apple-check --self-test $(if $(ALL),--all)
	nice -n 19 Scripts/apple-check $(if $(ALL),--all)

# The pages as four newcomers follow them, in a package that depends on this one by URL: checks what is committed.
outside: | headers
	Scripts/check-newcomers

# The program as it is installed, in .build/install. Run it as yourself, then `sudo make install`.
release: | headers
	Scripts/build-release

# Copies what `make release` has built; never builds.
install:
	@Scripts/install-program install "$(PREFIX)" "$(DESTDIR)"

uninstall:
	@Scripts/install-program uninstall "$(PREFIX)" "$(DESTDIR)"

# The archive of a release, and its checksum, in .build/dist.
dist: release
	Scripts/build-archive

# What changed in the public API since a released version, such as BASE=0.1.0, as the package manager reports it.
.PHONY: api-check
api-check: | headers
	@[ -n "$(BASE)" ] || { echo "api-check: name the version to compare with: make api-check BASE=0.1.0" >&2; exit 2; }
	swift package diagnose-api-breaking-changes "$(BASE)"

# Installs into an empty folder, uses what is there in every shell, and removes it again.
# BUILD=debug takes the program of `make build`, which saves the minutes of a release build.
check-install: | headers
	Scripts/build-release $(or $(BUILD),release)
	Scripts/check-install

# Real writing through the text editor, and all that can be done with its logs; needs python3 and traces (FLUX_CORPORA).
traces: | headers
	swift build -c release --product flux-inspect
	swift build -c release --product text-editor-example
	Scripts/editing-trace

# Breaks the examples on purpose, one mutant at a time, and tells which mutants verify finds; needs python3. Minutes.
# FILTER=chat takes the mutants that have the text in their names.
mutants: | headers
	Scripts/mutation-run --logs $(or $(LOGS),12) --seed $(or $(SEED),1) --honest $(or $(HONEST),1000) $(if $(FILTER),--filter $(FILTER) --failures-only)

# Faults that happen to a recorded app: kills, full disks, truncated and removed files, planted links. ROUNDS=5000 by hand.
faults: | headers
	swift build --product FaultSubject
	Scripts/fault-run $$(swift build --show-bin-path)/FaultSubject --rounds $(or $(ROUNDS),200) --seed $(or $(SEED),1)

# Runs a table of commands with the programs in the folder OLD and with these ones, and prints what differs. Minutes.
same-output: | headers
	swift build
	Scripts/same-output "$(OLD)" "$$(swift build --show-bin-path)"

# Invented input for what reads input from outside, SECONDS=60 for each; ten minutes each before a release.
fuzz:
	Scripts/fuzz $(or $(SECONDS),60)

# Draws the pictures of the documents anew; the tests fail where one is not current.
pictures: | headers
	FLUX_UPDATE=1 swift test --filter PictureTests

# The pictures of the page, from the page itself; needs chromium and chromedriver.
.PHONY: page-pictures page-test
page-pictures: | headers
	swift build
	$(or $(FLUX_PAGE_PYTHON),.build/page-tests/venv/bin/python) Scripts/page-pictures

# The page of report and serve in Chromium; needs chromium, chromedriver and python3.
page-test: | headers
	$(BUILT)
	Scripts/page-tests

# A recording in the debugger of an editor; needs Emacs with dap-mode (`make tools`).
.PHONY: editor-test
editor-test: | headers
	$(BUILT)
	Scripts/editor-test

# Recordings for coding agents, with the official Python SDK as the client; needs python3.
.PHONY: agent-test
agent-test: | headers
	$(BUILT)
	Scripts/agent-tests

# What the tests need besides Swift and the headers. `.ci/run` sets `TOOLS=tools,`, which installs it while the build runs.
.PHONY: tools
tools:
	Scripts/install-tools $(if $(ALL),all)

# The gate: what a change must pass. What is joined with + runs side by side: one mostly waits while the other computes.
# Lint and apple-check run with `nice`, and take the processor while the build waits for one module, or a test for a program.
STAGES = build,test,docs+lint+$(TOOLS)apple-check+$(TOOLS)build,page-test,verify,agent-test,editor-test

check:
	@Scripts/check-stages $(STAGES)

# What a release must pass too. Most of these stages build everything again.
check-all:
	@ALL=1 Scripts/check-stages $(STAGES) outside tour check-install faults test-optimized sanitize bench-test bench-check

lint:
	nice -n 19 swift format lint --strict --recursive --parallel $(SOURCES)

build: | headers
	swift build --build-tests --explicit-target-dependency-import-check error

# The documentation of every library, with warnings as errors.
docs: | headers
	Scripts/build-documentation $(LIBRARIES)

# The concurrent parts and the programs under the Thread Sanitizer, and the tests of logs under the Address Sanitizer. Only
# these tests and what they need are built again. XCTest leaks a few bytes of its own, and has no tests here. Leaks are not
# reported, because the exit tests of full disks end in the middle of their work.
#
# A forked child that records has a thread of its own, which the Thread Sanitizer refuses by default. By default it also
# delays the end of every process by a second.
sanitize: sanitize-threads sanitize-addresses

SANITIZED = swift test --disable-xctest

.PHONY: sanitize-threads sanitize-addresses
sanitize-threads: export FLUX_TESTS = FluxCoreTests,FluxRecorderTests,FluxReplayTests,FluxHostTests,ReplayHostTests,FluxInspectProgramTests
# The memory reader of swift-backtrace dies with a sanitized process that crashes, and swift-backtrace waits for it for ever.
sanitize-threads: export SWIFT_BACKTRACE = enable=no
# A program that a test runs in a terminal would print its report there.
sanitize-threads: export TSAN_OPTIONS = die_after_fork=0 atexit_sleep_ms=0 log_path=$(CURDIR)/.build-thread/report
sanitize-threads: | headers
	rm -f .build-thread/report.*
	$(SANITIZED) --scratch-path .build-thread --sanitize=thread || { cat .build-thread/report.*; exit 1; }

sanitize-addresses: export FLUX_TESTS = FluxLogTests
sanitize-addresses: export ASAN_OPTIONS = detect_leaks=0
sanitize-addresses: | headers
	$(SANITIZED) --scratch-path .build-address --sanitize=address

# The tests of the libraries as apps are released: the optimizer may break what a debug build gets right.
.PHONY: test-optimized
test-optimized: export FLUX_TESTS = FluxCoreTests,FluxJSONTests,FluxLogTests,FluxRulesTests,FluxReplayTests,FluxHostTests,FluxRecorderTests,FluxTestingTests,FluxInspectorTests
test-optimized: | headers
	swift test --disable-xctest -c release -Xswiftc -enable-testing --scratch-path .build-optimized

bench-build: | headers
	swift build --package-path Benchmarks -c release

# Every figure beside its rivals, as one table. QUICK=1 takes less of each, FILTER=text takes the figures whose name
# has the text in it, JSON=file keeps them, AGAIN=1 takes those that the file has not, or has of shared cores only,
# INPUTS=folder keeps what was generated.
bench: bench-build bench-page-program
	$(BENCHMARKS) run $(if $(QUICK),--quick) $(if $(FILTER),--filter "$(FILTER)") $(if $(JSON),--json "$(JSON)") \
	  $(if $(AGAIN),--again) $(if $(INPUTS),--inputs "$(INPUTS)")

# The program that the figures of the page start; those figures need what `make page-test` needs.
.PHONY: bench-page-program
bench-page-program: | headers
	swift build --package-path Benchmarks -c release --product flux-inspect

# What was kept with JSON=file at two commits, side by side: BEFORE=file AFTER=file.
bench-compare: bench-build
	$(BENCHMARKS) compare "$(BEFORE)" "$(AFTER)"

# An earlier build of Benchmarks and this one, in turns: PROGRAM=copy of its flux-benchmarks, with FILTER and QUICK.
bench-pairs: bench-build
	$(BENCHMARKS) pairs "$(PROGRAM)" $(if $(QUICK),--quick) $(if $(FILTER),--filter "$(FILTER)") \
	  $(if $(INPUTS),--inputs "$(INPUTS)")

# What the figures rest on: statistics, tables, comparisons.
bench-test:
	swift build --package-path Benchmarks --product BenchmarksPackageTests
	swift test --package-path Benchmarks --skip-build

# The instructions of the hot paths, beside those that are kept; fails where one grew by more than 5 %. UPDATE=1 keeps
# the counts of now.
bench-check: bench-build
	$(BENCHMARKS) instructions Benchmarks/instructions.tsv $(if $(UPDATE),--update)

# All figures and how they grow, which takes a quarter of an hour, and the page that shows them.
bench-docs: bench-build bench-page-program
	rm -f $(RESULTS)/figures.json
	$(BENCHMARKS) run --json $(RESULTS)/figures.json
	$(BENCHMARKS) growth $(RESULTS)/growth.json
	$(MAKE) bench-page

# The tables and drawings of docs/performance.md, from what is kept of the last run.
bench-page: bench-build
	$(BENCHMARKS) document --figures $(RESULTS)/figures.json --growth $(RESULTS)/growth.json \
	  --instructions Benchmarks/instructions.tsv --page docs/performance.md --images docs/images

# The headers of libedit and zlib, which Linux does not have by itself.
headers:
	@Scripts/install-headers

clean:
	rm -rf .build .build-optimized .build-thread .build-address Benchmarks/.build Fuzz/.build

# The documentation of every library and the pages of docs/ as one static site, in .build/site, with all links checked.
# BASE_PATH=/flux-inspect is the path that it is served at, REPOSITORY=https://… the address of the project's files.
.PHONY: site
site: | headers
	Scripts/build-site $(LIBRARIES)
