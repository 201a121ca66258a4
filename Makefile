# Everything is reached from here; `make help` lists it.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

LISTEN ?= 127.0.0.1:8080
DATA ?= ./var
FUZZTIME ?= 10s
PARTS ?= var/parts
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

GO := .ci/go
# Packages that start goroutines: their tests run once more under the race detector.
RACE := ./adapters/... ./compute/... ./core/service/... ./core/brep/mass/... ./core/feature/... ./cmd/...
# SQLite itself is C turned into Go, six to nine times slower under the race detector, which has nothing to find in it.
RACEFLAGS := -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc=-race=false

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
	@exec bin/millwright serve --listen $(LISTEN) --data $(DATA) --example

.PHONY: lint
lint: setup ## gofmt, vet, staticcheck
	@out=$$($$($(GO) env GOROOT)/bin/gofmt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "gofmt wants to change:"; echo "$$out"; exit 1; }
	@$(GO) vet ./...
	@$(GO) run $(STATICCHECK) ./...

.PHONY: testsetup
testsetup: # what testing needs beyond setup
	@.ci/setup test

.PHONY: gpu
gpu: testsetup ## lint and tests of the GPU backend on a software renderer
	@STATICCHECK=$(STATICCHECK) .ci/gpu

.PHONY: openapi
openapi: testsetup ## public linters and generated clients on the interface description
	@.ci/openapi

.PHONY: test
test: testsetup lint gpu openapi deploy ## everything that must hold: lint, tests, GPU backend, race detector, short fuzzing
	@.ci/test
	@CGO_ENABLED=1 .ci/test $(RACEFLAGS) -short $(RACE)
	@.ci/fuzz $(FUZZTIME)

.PHONY: deploy
deploy: testsetup ## linters and schemas on the files of deploy/
	@.ci/deploy

.PHONY: audit
audit: setup ## look for known vulnerabilities in what the program is built from
	@.ci/audit

.PHONY: bench
bench: setup ## benchmarks beside the code, once each
	@$(GO) test -run '^$$' -bench . -benchtime 1x ./...

.PHONY: parts
parts: ## write 500 parts with known features to PARTS (needs OCCT: apt when root)
	@.ci/parts $(PARTS)
