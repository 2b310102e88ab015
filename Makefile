# Each target works as the first command on a fresh clone.

LIBRARIES := FluxCore FluxLog FluxReplay FluxRecorder
SOURCES := Package.swift $(wildcard Sources Tests Examples) \
  $(wildcard Benchmarks/Package.swift Benchmarks/Sources Fuzz/Package.swift Fuzz/Sources)

.PHONY: run test check lint build docs sanitize bench bench-build clean

# Shows the toolkit at work.
run:
	@printf '%s\n' log increase 'remove 3' 'both 20' 'work 8' | swift run --quiet counter-example

test:
	swift test --parallel

# The whole gate: what a change must pass.
check: lint build test docs sanitize bench-build

lint:
	swift format lint --strict --recursive --parallel $(SOURCES)

build:
	swift build --build-tests --explicit-target-dependency-import-check error

# The documentation of every library, with warnings as errors.
docs:
	Scripts/build-documentation $(LIBRARIES)

# XCTest leaks a few bytes of its own, and has no tests here.
sanitize:
	swift test --disable-xctest --scratch-path .build-thread --sanitize=thread --filter 'FluxCoreTests|FluxRecorderTests'

bench-build:
	swift build --package-path Benchmarks -c release

bench: bench-build
	swift run --package-path Benchmarks -c release CoreBenchmarks

clean:
	rm -rf .build .build-thread Benchmarks/.build Fuzz/.build
