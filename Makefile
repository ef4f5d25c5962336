# The goals for building, testing and measuring. `make` alone lists them.

SHELL = /bin/sh
PREFIX ?= /usr/local
SIZE ?= 1000000
SOURCES = Sources Tests Examples Package.swift
SCROLLBACK = $$(swift build -c release --show-bin-path)/scrollback

.PHONY: help run test test-long test-browser build order install deb tarball release-check bench bench-trial test-tools bench-guard release screenshot torture fuzz fuzz-long sanitize docs api examples additions lint format prepare

help:  ## list these goals
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r goal text; do \
	  printf '%-16s %s\n' "$$goal" "$$text"; done

# The debug build takes half the time, and the tests use it, too.
run: prepare  ## open a made-up history, with a tour (without a terminal: print a short one)
	swift build --product scrollback $$(.ci/flags swift)
	@"$$(swift build --show-bin-path)/scrollback" demo

test: prepare  ## run the tests
	@.ci/test

test-long: prepare  ## run the tests with more seeds, more steps and millions of rows
	@SCROLLBACK_LONG=1 .ci/test -c release

test-browser: prepare  ## test the page in Chromium, installed if missing (STORE=chats.db: measure it on that store)
	@$(if $(STORE),SUITE=PageMeasurements SCROLLBACK_BROWSER_STORE="$(abspath $(STORE))") .ci/browser

build: prepare  ## build the release
	swift build -c release --product scrollback $$(.ci/flags release)

order: build  ## record the functions that common commands call; the next release build places them together (needs valgrind)
	.ci/order
	rm -f "$(SCROLLBACK)"

install: build  ## install to PREFIX (/usr/local), with the manual page, completions and docs
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$(SCROLLBACK)" "$(DESTDIR)$(PREFIX)/bin/scrollback"
	.ci/note "$(DESTDIR)$(PREFIX)/bin/scrollback"
	install -d "$(DESTDIR)$(PREFIX)/share/man/man1"
	"$(SCROLLBACK)" manual >"$(DESTDIR)$(PREFIX)/share/man/man1/scrollback.1"
	install -d "$(DESTDIR)$(PREFIX)/share/doc/scrollback"
	install -m 644 $(filter-out docs/README.md,$(wildcard docs/*.md)) docs/openapi.json README.md CHANGELOG.md \
	  "$(DESTDIR)$(PREFIX)/share/doc/scrollback"
	install -m 644 docs/README.md "$(DESTDIR)$(PREFIX)/share/doc/scrollback/pages.md"
	install -d "$(DESTDIR)$(PREFIX)/share/doc/scrollback/json"
	install -m 644 docs/json/*.md "$(DESTDIR)$(PREFIX)/share/doc/scrollback/json"
	@for place in bash:bash-completion/completions/scrollback zsh:zsh/site-functions/_scrollback \
	  fish:fish/vendor_completions.d/scrollback.fish; do \
	  file="$(DESTDIR)$(PREFIX)/share/$${place#*:}"; \
	  install -d "$$(dirname "$$file")" && "$(SCROLLBACK)" completions "$${place%%:*}" >"$$file" || exit 1; \
	done

deb: prepare  ## make a package for Debian and its derivatives, in .build/package
	.ci/package deb

tarball: prepare  ## make an archive that runs on Linux with glibc 2.35 or later, in .build/package
	.ci/package tarball

release: prepare  ## make all files of a release with their sums and the installer, in .build/package/release
	.ci/package release

release-check:  ## install both packages in clean roots of Debian 12 and 13, use and remove them (as root)
	.ci/release-check

ifdef STORY
BENCH = story $(STORY) $(if $(filter file,$(origin SIZE)),,--size $(SIZE))
else ifeq ($(ONLY),ranking)
BENCH = ranking --size $(SIZE) $(if $(SET),--set $(SET)) $(if $(HALF),--half $(HALF)) $(if $(REPORT),--report $(REPORT))
else
BENCH = run --size $(SIZE) $(if $(ONLY),--only $(ONLY)) $(if $(REPORT),--report $(REPORT))
endif

bench: prepare  ## measure at up to SIZE messages (1000000, quick; beyond, all; REPORT=FOLDER: a page; ONLY=NAME: ranking [SET=FILE HALF=tuning|report], search …), or play STORY=pictures|cards|sync|rows
	@.ci/tools build -c release --product scrollback-bench
	"$$(swift build -c release --show-bin-path)/scrollback-bench" $(BENCH)

bench-trial: prepare  ## run each scenario of the benchmark once or twice in a debug build, to check that it runs
	@.ci/tools build --product scrollback-bench
	"$$(swift build --show-bin-path)/scrollback-bench" run --trial --size 10000 --folder .build/bench-trial

test-tools: prepare  ## run the tests of the benchmarks, torture and other tools
	@.ci/installer
	@.ci/tools test

bench-guard: prepare  ## count the instructions of the hot paths and compare them with the record (RECORD=1 writes it; DEBUG=1: of the debug build)
	@.ci/tools build $(if $(DEBUG),,-c release) --product scrollback-bench
	@"$$(swift build $(if $(DEBUG),,-c release) --show-bin-path)/scrollback-bench" guard $(if $(RECORD),--record)

screenshot: prepare  ## make the animated picture of the README from the demo, and its transcript
	.ci/tools build -c release --product scrollback-bench
	"$$(swift build -c release --show-bin-path)/scrollback-bench" screenshot \
	  Fixtures/history/tour.json -o docs/pictures/tour.svg
	RECORD_GOLDEN=1 .ci/test --filter ReadmeTests

MINUTES ?= 5

torture: prepare  ## break the program, its disk and its stores for MINUTES (5), and check the result (SEED=; ROUND= repeats one round; ROUND=publish kills publishers and their server 200 times)
ifeq ($(ROUND),publish)
	swift build -c release --product scrollback $$(.ci/flags release)
	@.ci/torture-publish "$(SCROLLBACK)"
else
	@.ci/tools build -c release --product scrollback-torture
	@"$$(swift build -c release --show-bin-path)/scrollback-torture" --minutes $(MINUTES) \
	  $(if $(SEED),--seed $(SEED)) $(if $(ROUND),--round $(ROUND))
endif

# C code runs under the address sanitizer, too.
FUZZED = .build/fuzz$(if $(filter pictures,$(FORMAT)),-pictures)
FUZZ = SCROLLBACK_FUZZ=1 swift build -c release --sanitize=fuzzer $(if $(filter pictures,$(FORMAT)),--sanitize=address) \
  $$(.ci/flags swift) --product scrollback-fuzz --package-path Tests/Benchmarks --scratch-path $(FUZZED)
FORMATS = jsonl telegram slack slackdump slack-events discord discord-html discord-csv messenger mattermost google-chat hangouts \
  matrix matrix-html signal signal-export signal-backup signal-chat zulip zulip-archive imessage adium sms line whatsapp mbox \
  irc-ubuntu irc-raku irc-irssi irc-weechat irc-znc irc-hexchat irc-mirc irc-eggdrop irc-energymech irc-limnoria \
  irc-dircproxy irc-collected claude-code codex chatgpt claude-ai gemini-cli llm opencode cursor open-webui sillytavern \
  crush lm-studio gemini-takeout character-ai aider cline copilot copilot-chat pi amp kimi hermes grok-build kiro vibe gptme antigravity specstory openhands droid librechat continue zed goose qwen-code whatsapp-android whatsapp-ios \
  signal-jsonl skype discord-package telegram-html twitch irc-chatterino irc-thelounge irc-meetbot \
  irc-irclog2html discord-history-tracker teams beeper rocketchat chatlab \
  kakaotalk discord-txt twitch-html twitter messenger-html google-voice pipermail deepseek grok json-lines json csv tsv pictures any
# Other fuzz targets: stores, queries, lines and keys, and output to a terminal.
FUZZED_ELSE = store query repl terminal
FUZZ_SECONDS = $(if $(filter undefined,$(origin SECONDS)),$(1),$(SECONDS))

ifdef FORMAT
fuzz: prepare  ## feed FORMAT with made-up bytes for SECONDS (120); without FORMAT: list the formats
	$(FUZZ)
	@mkdir -p ".build/fuzz/corpus/$(FORMAT)"
	@seeds=$$(echo "Fixtures/$(FORMAT)" | sed 's,irc-,irc/,;s,json-lines,tables,;s,/json$$,/tables,;s,/[ct]sv$$,/tables,;s,mbox,mail,'); \
	  case " $(FUZZED_ELSE) " in *" $(FORMAT) "*) seeds="Fixtures/fuzz/$(FORMAT)"; length=2048 ;; *) length=65536 ;; esac; \
	  [ -d "$$seeds" ] || seeds=Fixtures; \
	  words="Fixtures/fuzz/$(FORMAT).dict"; [ -f "$$words" ] && words="-dict=$$words" || words=; \
	  FORMAT="$(FORMAT)" SWIFT_BACKTRACE=enable=no $(FUZZED)/release/scrollback-fuzz \
	  -max_total_time=$(call FUZZ_SECONDS,120) -timeout=10 -rss_limit_mb=1024 -max_len=$$length -print_final_stats=1 \
	  $$words -artifact_prefix=.build/fuzz/ ".build/fuzz/corpus/$(FORMAT)" "$$seeds"
else
fuzz:
	@echo "make fuzz FORMAT=… SECONDS=120 feeds one of these with made-up bytes:"
	@echo "readers of files: $(FORMATS)" | fold -s -w 100
	@echo "others: $(FUZZED_ELSE)"
endif

fuzz-long: prepare  ## feed all formats, each for SECONDS (600)
	@for format in $(FUZZED_ELSE) $(FORMATS); do \
	  $(MAKE) --no-print-directory fuzz FORMAT=$$format SECONDS=$(call FUZZ_SECONDS,600) || exit 1; done

# Tests that use several threads. Long random walks would be too slow, and other processes have their own memory.
SANITIZED = MessageStoreTests ReadTransactionTests WriteTransactionTests ClosingTests SuspendingTests MessageChangesTests \
  ConversationListStateTests BackgroundCountTests SegmentTests BulkImportTests TextScanTests CancellationTests VersionOriginTests \
  MessageListTests MessageListModelTests ListDeliveryTests EdgeLoaderTests GapLoaderTests MessageCollectionTests WindowLiveTests \
  FreezingTests ScrollbackKitTests SessionThreadTests TypedSearchTests RefreshTests TransferTests ChatSessionTests.ReadPositionTests
empty =
SANITIZER = thread
ifeq ($(SANITIZER),address)
# Everything that runs in one process; leaks at its end are not reported.
SANITIZED = MessageModelTests MessageStorageTests MessageInterchangeTests TerminalTextTests HistoryQueriesTests MessageWindowsTests \
  HistoryServerTests HistoryPageTests MessagePicturesTests ScrollbackKitTests ChatSessionTests
# They bound the memory that the sanitizer needs, or the time.
UNSANITIZED = --skip '(HostilePictureTests|SafeguardTests)/'
endif

sanitize: prepare  ## run tests under the thread sanitizer, or SANITIZER=address (a build of its own in .build)
	@for suite in $(SANITIZED); do \
	  grep -rqE "(struct|class) $${suite##*.}\>" Tests || [ -d "Tests/$$suite" ] || { echo "no tests '$$suite'" >&2; exit 1; }; \
	done
	nice swift build --build-tests --sanitize=$(SANITIZER) --scratch-path .build/$(SANITIZER) $$(.ci/flags swift)
	ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS="suppressions=$(CURDIR)/.ci/thread-suppressions" \
	  nice .ci/test --skip-build --sanitize=$(SANITIZER) --scratch-path .build/$(SANITIZER) \
	  --filter '($(subst $(empty) $(empty),|,$(strip $(SANITIZED))))[./]' $(UNSANITIZED)

docs: prepare  ## build the documentation of the libraries in .build/docs, and report what is missing
	swift build --target ScrollbackKit $$(.ci/flags swift)
	swift build --target MessageSourceTesting $$(.ci/flags swift)
	@.ci/docs

api: prepare  ## add new public declarations of the libraries to docs/api
	RECORD_GOLDEN=1 .ci/test --filter PublicSurfaceTests

examples: prepare  ## build the packages in Examples (NAME=Bot: one of them) in .build/examples
	@.ci/examples $(NAME)

additions: prepare  ## make each addition of docs/internals/extending.md in a copy (NAME=command: one of them), and use it
	@.ci/additions $(NAME)

lint:  ## check the format of the sources and the scripts of the page, that public declarations document what they throw, and that each promise has its test
	swift format lint --strict -r $(SOURCES)
	@.ci/throws
	@.ci/promises
	@.ci/page

format:  ## format the sources
	swift format -i -r $(SOURCES)

prepare:
	@.ci/prepare
