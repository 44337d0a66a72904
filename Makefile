.DEFAULT_GOAL := help
.PHONY: help setup build dist deb test-dist test-deb test-services test-proxies image demo test smoke test-api test-console test-telemetry test-restores test-upgrade test-older-suite test-alerts test-typescript test-examples chaos fleet fuzz check-sanitize open-transaction model-test bench bench-peers format lint check clean

SOURCES := Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests
# With LIVE=1 and a provider's key the demo uses the real services; otherwise the simulator.
LIVE ?= 0
# The time for which `make chaos` tries new seeds, and the number of jobs of `make fleet`.
CHAOS_MINUTES ?= 5
FLEET_JOBS ?= 20000

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

setup: ## Install the Debian packages that are missing; no server is among them
	@Scripts/setup

.PHONY: setup-test setup-dist
setup-test: ## Install also what the tests need: PostgreSQL, PgBouncer, faketime, Chromium, node
	@Scripts/setup test

setup-dist: setup ## Install also what makes packages: debhelper, lintian, debootstrap
	@Scripts/setup dist

build: setup ## Build the dossier command (release)
	@swift build -c release --product dossier

demo: build ## Show a research report from request to result
	@.build/release/dossier demo $(if $(filter 1,$(LIVE)),--live)

dist: setup-dist ## Build the archive of a release in dist/: one program with Swift's runtime in it
	@Scripts/dist

deb: dist ## Build the Debian package in dist/, with services for systemd
	@Scripts/deb

# The tests of packages need root, and skip with a reason without it.
test-dist: dist ## Run the demo from the archive on a clean Debian without a toolchain
	@Scripts/test-dist

test-deb: deb ## Install, upgrade, remove and purge the package on a clean Debian
	@Scripts/test-deb

test-services: deb ## Boot a clean Debian with systemd and run the services of the package
	@Scripts/test-services

test-proxies: build ## Ask the service through nginx and Caddy, by the text of docs/operations.md
	@Scripts/test-proxies

image: ## Build the container image with podman or buildah (BUILDER=, BASE=)
	@Scripts/image

test: setup-test ## Run every test, the smoke test included
	@Scripts/test

smoke: setup ## Ask the release binary for everything once
	@Scripts/smoke

test-api: setup-test build ## Test the description of the API with validators, generators and Schemathesis (SEED=, EXAMPLES=)
	@Scripts/test-api

test-console: setup-test build ## Test the console in Chromium; PICTURES=FOLDER keeps pictures of every screen
	@Scripts/test-console

test-restores: build ## Restore and fail over PostgreSQL, by the text of docs/operations.md
	@Scripts/test-restores

test-upgrade: build ## Upgrade under load from the program before the newest migration, and back (OLDER=, FLAGS=)
	@Scripts/test-upgrade $(FLAGS)

test-older-suite: build ## Run the stores' suites of the release before on databases that this program migrated
	@Scripts/test-older-suite

test-telemetry: build ## Read what is sent to a collector by OpenTelemetry's messages from PyPI
	@Scripts/test-telemetry

test-alerts: setup-test build ## Test alert rules and dashboard, and raise alerts by real faults
	@Scripts/test-alerts

test-typescript: setup-test build ## Check the types of the TypeScript client and test it against the release binary
	@Scripts/test-typescript

test-examples: build ## Build the example code for apps and test it against the release binary
	@Scripts/test-examples

# SEQUENCES random sequences, from SEED on; without SEED the first is random, and the test prints it. The protocols are
# searched with FAULTS faults.
SEQUENCES ?= 100000
FAULTS ?= 3

model-test: setup-test ## Compare every store with the reference model, search the protocols (SEQUENCES=, SEED=, FAULTS=)
	@swift build --build-tests
	@MODEL_SEQUENCES=$(SEQUENCES) $(if $(SEED),MODEL_SEED=$(SEED)) MODEL_FAULTS=$(FAULTS) \
	  swift test --skip-build --filter ModelTests

# PARTS chooses among store, http, life, load, memory, crowd, storage and providers (only when named: it installs other
# clients from PyPI), STORES among sqlite and postgres; ADD=1 keeps the figures of earlier runs that are not measured
# again.
bench: setup-test build ## Measure speed and write it to docs/performance.md (PARTS=, STORES=, ADD=1)
	@Benchmarks/run $(addprefix --part ,$(PARTS)) $(addprefix --store ,$(STORES)) $(if $(filter 1,$(ADD)),--add) \
	  --table docs/performance.md

bench-peers: setup-test build ## Measure other programs for the same work beside Dossier (they come from PyPI)
	@Benchmarks/peers/run --table docs/performance.md

chaos: setup-test ## Break fleets by random seeds; DOSSIER_CHAOS_SEED=1 repeats a run, CHAOS_MINUTES=60 runs longer
	@swift build --build-tests
	@CHAOS_MINUTES=$(CHAOS_MINUTES) swift test --skip-build --filter '/ChaosTests/noPromiseIsBrokenWithinTheGivenTime'

fleet: setup-test ## Run FLEET_JOBS=20000 jobs on eight workers for each database, half of them killed every few seconds
	@swift build --build-tests
	@FLEET_JOBS=$(FLEET_JOBS) swift test --skip-build --filter '/FleetTests/'

open-transaction: setup-test build ## Measure PostgreSQL beside a transaction that stays open (MINUTES=10)
	@Scripts/open-transaction $(or $(MINUTES),10)

format: ## Format the sources
	@swift format format --in-place --recursive --parallel $(SOURCES)

# MINUTES is the time of all fuzzers together; TARGETS chooses among the folders of Tests/Fuzz/Corpus.
fuzz: setup ## Run libFuzzer on every reader of bytes from outside (MINUTES=10, TARGETS=)
	@Scripts/fuzz --seconds $$(( $(or $(MINUTES),10) * 60 )) $(TARGETS)

check-sanitize: setup-test ## Run the unit tests with the thread and the address sanitizer
	@Scripts/check-sanitize

lint: ## Check format and lint rules
	@swift format lint --strict --recursive --parallel $(SOURCES)

check: lint test ## Lint, build without warnings, test, and check prompts and kinds of jobs
	@.build/debug/dossier prompts lint
	@.build/debug/dossier prompts test

clean: ## Remove what was built and the local database
	@rm -rf .build Examples/.build dist var
