# Everything is reached from here; `make help` lists it.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

LISTEN ?= 127.0.0.1:8080
DATA ?= ./var
LOG ?= warn
BASE ?= main
FUZZTIME ?= 10s
FUZZ ?= .
PARTS ?= var/parts
EXAMPLE := cmd/millwright/example/bracket

GO := .ci/go

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

.PHONY: setup
setup: ## install what building and testing need (apt when root)
	@.ci/setup

.PHONY: build
build: setup ## build bin/millwright, with GPU support where it can be built
	@.ci/build bin/millwright ./cmd/millwright

.PHONY: run
run: build ## start the service in ./var, push the bundled part through it, keep serving
	@exec bin/millwright serve --listen $(LISTEN) --data $(DATA) --log-level $(LOG) --example

.PHONY: lint
lint: setup ## gofmt, plainwords, vet, staticcheck
	@.ci/lint

.PHONY: testsetup
testsetup: # what testing needs beyond setup
	@.ci/setup test

.PHONY: quick
quick: testsetup ## lint and short tests of what changed since BASE (main) and of what depends on it: before each commit
	@.ci/quick '$(BASE)'

.PHONY: test
test: testsetup ## everything that must hold: tests with the committed fuzz inputs, race, lint, gpu, openapi, deploy
	@.ci/stages "tests race" "lint openapi deploy gpu"

.PHONY: tests
tests: testsetup ## the tests, long ones too
	@.ci/test

.PHONY: race
race: testsetup ## short tests under the race detector
	@.ci/race

.PHONY: gpu
gpu: testsetup ## lint and tests of the GPU backend on a software renderer
	@.ci/gpu

.PHONY: openapi
openapi: testsetup ## public linters and generated clients on the interface description
	@.ci/openapi

.PHONY: deploy
deploy: testsetup ## linters and schemas on the files of deploy/
	@.ci/deploy

.PHONY: fuzz
fuzz: setup ## search for inputs that decoders fail on, FUZZTIME (10s) for each target, or for those that FUZZ matches
	@.ci/fuzz $(FUZZTIME) '$(FUZZ)'

.PHONY: audit
audit: setup ## look for known vulnerabilities in what the program is built from
	@.ci/audit

.PHONY: licenses
licenses: setup ## check the licenses of all modules in the binary, and write their texts to var/licenses
	@.ci/licenses

.PHONY: sbom
sbom: build ## write var/sbom.json: the modules in the binary as CycloneDX
	@mkdir -p var && .ci/sbom bin/millwright var/sbom.json

.PHONY: bench
bench: setup ## benchmarks beside the code, once each
	@$(GO) test -run '^$$' -bench . -benchtime 1x ./...

.PHONY: parts
parts: ## write 500 parts with known features to PARTS (needs OCCT: apt when root)
	@.ci/parts $(PARTS)

.PHONY: portal
portal: testsetup ## build the pages of the portal, adapters/portal/assets, from adapters/portal/web
	@$(GO) run ./adapters/portal/build

.PHONY: picture
picture: build ## draw the picture of README.md, cmd/millwright/example/bracket.png
	@bin/millwright analyze --features --out var/picture $(EXAMPLE).step >/dev/null
	@bin/millwright program --out var/picture $(EXAMPLE).step >/dev/null
	@$(GO) run ./cmd/millwright/example/picture $(EXAMPLE).step var/picture $(EXAMPLE).png
