# `make help` lists what can be made. Each target does the set-up that it needs.
.DEFAULT_GOAL := build
MAKEFLAGS += --no-print-directory
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | awk -F '\t' '{ printf "  make %-10s %s\n", $$1, $$2 }'

build: ## build bin/torchleak
	@scripts/toolchain.sh
	go build -o bin/torchleak ./cmd/torchleak

demo: build ## train a small model that leaks, under torchleak, and prove the fix
	@demo/demo.sh

# What works on several things at a time is tested under the race detector, and only so. Long tests of one thing at a time are
# left out there; all of them are in the linter.
RACES := ./internal/analysis ./internal/cli ./internal/flight ./internal/lint ./internal/recording ./internal/remote ./internal/sentinel ./internal/session ./internal/watch
ALONE := TestExtremes|TestManyFunctions|TestFrameworkAround
TWICE := ./internal/lint
# What takes longest begins first, lest it be left alone at the end.
LONGEST := ./cmd/torchleak ./internal/probe ./leaks
# go vet is for lint: there it looks at more.
GOTEST := go run ./internal/dev/gotest -timeout 35m -vet=off

test: build ## run all tests with the PyTorch that is found or installed (TORCHLEAK_PYTHON names others)
	@TORCHLEAK_PYTHON=$$(scripts/pythons.sh) && export TORCHLEAK_PYTHON && \
		$(GOTEST) -race -skip '$(ALONE)' $(RACES) && \
		$(GOTEST) $(LONGEST) $$(go list ./... | grep -vxF "$$(go list $(filter-out $(TWICE),$(RACES)))")

bench: build ## run all benchmarks
	@TORCHLEAK_PYTHON=$$(scripts/pythons.sh) && export TORCHLEAK_PYTHON && go test -run '^$$' -bench . -benchmem ./...

test-gpu: build ## run the tests that need a CUDA device
	@TORCHLEAK_PYTHON=$$(scripts/pythons.sh --cuda) && export TORCHLEAK_PYTHON && \
		TORCHLEAK_REQUIRE=torch,cuda go run ./internal/dev/gotest -run CUDA ./...

lint: ## gofmt, go vet, staticcheck, shellcheck
	@scripts/toolchain.sh
	@scripts/lint.sh $(STATICCHECK)

clean: ## remove what was built here
	rm -rf bin .torchleak demo/.torchleak

.PHONY: help build demo test bench test-gpu lint clean
