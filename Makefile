# `make help` lists what can be made. Everything runs in .venv, but for what the tests drive in tests/editor; nothing is
# installed anywhere else.

PYTHON      ?= python3
ADDRESS     ?= 127.0.0.1:8000
# Hover previews appear where the site stands at the address it was built for; publishing names its own.
SITE_URL    ?= http://$(ADDRESS)/
# Which systems to build, if not all, such as SYSTEMS=ace or SYSTEMS="ace hipporag"; their links to others lead nowhere.
SYSTEMS     ?=
# Where docs/ can be edited on its forge; without it, pages have no link to their sources.
EDIT_URI    ?=
PYTEST_ARGS ?= -n auto --dist loadfile
LOCK_ARGS   ?= --upgrade
# How many systems to build in the benchmark, and how often: 3 20 --times 3
BENCH_ARGS  ?=

ifndef CHROMIUM
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
endif
export CHROMIUM

# Material for MkDocs would print a page about MkDocs 2, which pyproject.toml rules out.
export NO_MKDOCS_2_WARNING := 1

BIN := .venv/bin

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help site serve test bench pictures lock fmt clean venv browser editor

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):[^#]*## /\1	/p' $(firstword $(MAKEFILE_LIST)) | expand -t 8

site: venv  ## build the site into site/, for the address SITE_URL
	@SITE_URL="$(SITE_URL)" EDIT_URI="$(EDIT_URI)" SYSTEMS="$(SYSTEMS)" $(BIN)/mkdocs build --strict
	@printf '%s\n' '' "The site is built for $(SITE_URL): $$PWD/site/index.html"
ifeq ($(SITE_URL),http://$(ADDRESS)/)
	@printf '%s\n' \
	  "Look at it: python3 -m http.server --bind $(firstword $(subst :, ,$(ADDRESS))) --directory site $(lastword $(subst :, ,$(ADDRESS)))" \
	  "then open $(SITE_URL) in a browser. Or edit and look at once: make serve"
endif

serve: venv  ## show the site at ADDRESS and rebuild it on every change
	@SYSTEMS="$(SYSTEMS)" $(BIN)/mkdocs serve --livereload --dev-addr $(ADDRESS)

test: browser editor site  ## build the site, then run every check there is
	@$(BIN)/playwright --version >/dev/null || { \
	  echo "The driver of the browser tests does not run. On Debian: apt-get install libatomic1" >&2; \
	  exit 1; }
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest $(PYTEST_ARGS) -m "not timed"
	$(BIN)/pytest -m timed

bench: venv  ## time checks and builds of large collections, beside plain MkDocs and Hugo
	@$(BIN)/python -m tests.benchmark.check
	@$(BIN)/python -m tests.benchmark.build $(BENCH_ARGS)

pictures: venv editor  ## take the guide's pictures of mending a record anew, with neovim and tmux
	@$(BIN)/python -m tests.pictures.mending

fmt: venv  ## format the code and mend what can be mended mechanically
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

lock:  ## resolve requirements.lock anew
	@uv=$$(mktemp -d) && trap 'rm -rf "$$uv"' EXIT && \
	"$(PYTHON)" -m venv "$$uv" && \
	"$$uv/bin/python" -m pip install -qq --disable-pip-version-check uv && \
	"$$uv/bin/uv" pip compile --quiet --universal --python-version 3.11 --extra dev --generate-hashes \
	  $(LOCK_ARGS) --custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml

clean:  ## remove everything that was made, .venv included
	@rm -rf .venv site .site-* parts build dist tests/editor/node_modules
	@rm -rf .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find macros tests -name __pycache__ -type d -prune -exec rm -rf {} +

venv:
	@sh .ci/venv .venv "$(PYTHON)"

browser:
	@command -v "$$CHROMIUM" >/dev/null || { \
	  echo "The tests drive Chromium, and none was found$${CHROMIUM:+ at $$CHROMIUM}. On Debian: apt-get install chromium; or name one: make CHROMIUM=/path/to/chromium test" >&2; \
	  exit 1; }

editor: tests/editor/node_modules/.package-lock.json

tests/editor/node_modules/.package-lock.json: tests/editor/package-lock.json
	@node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null || { \
	  echo "The tests drive a language server for YAML, which needs Node.js 18 or newer, and npm to install it. On Debian: apt-get install nodejs npm" >&2; \
	  exit 1; }
	@echo "Installing what $< names into $(@D) ..."
	@cd $(<D) && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
	@touch $@
