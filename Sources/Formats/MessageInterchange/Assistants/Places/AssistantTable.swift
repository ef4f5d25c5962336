extension ImportFormats {
  /// The programs whose sessions are read, in the order in which they are searched: where each keeps them, what
  /// its files are, and which of its versions were seen. `scrollback assistants` searches these places, imports
  /// of folders read the hidden files there, and docs/assistants.md lists all of it.
  ///
  /// A program that writes a line for each message, with a role and a content, needs only its entry here: its
  /// ``ChatShape`` names the keys.
  package static let assistants: [AssistantEntry] = [
    AssistantEntry(
      "claude-code", "Claude Code", .lines,
      [
        AssistantPlace(
          .home, ".claude", "projects", files: "*.jsonl", depth: 6, variable: "CLAUDE_CONFIG_DIR"),
        AssistantPlace(.settings, "claude", "projects", files: "*.jsonl", depth: 6),
      ],
      versions: "1.0.3 to 2.1.233", verified: "2026-11"),
    AssistantEntry(
      "claude-code", "Claude Code's prompts", .lines,
      [
        AssistantPlace(
          .home, ".claude", files: "history.jsonl", variable: "CLAUDE_CONFIG_DIR", followsFile: true)
      ],
      versions: "lists of 2025 and 2026", verified: "2026-11: public descriptions"),
    AssistantEntry(
      "claude-code", "Claude Cowork", .lines,
      [
        AssistantPlace(.settings, "Claude", "local-agent-mode-sessions", files: "*.jsonl", depth: 10),
        AssistantPlace(
          .home, "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude",
          "local-agent-mode-sessions", files: "*.jsonl", depth: 10),
      ],
      versions: "sessions of 2026", verified: "2026-11: public descriptions"),
    AssistantEntry(
      "codex", "Codex CLI", .lines,
      [
        AssistantPlace(
          .home, ".codex", "sessions", files: "rollout-*.jsonl", "rollout-*.jsonl.zst", depth: 4,
          variable: "CODEX_HOME"),
        AssistantPlace(
          .home, ".codex", "archived_sessions", files: "rollout-*.jsonl", "rollout-*.jsonl.zst", depth: 4,
          variable: "CODEX_HOME"),
      ],
      versions: "items alone (until 0.31), 0.46, 0.65, 0.98", verified: "2026-11"),
    AssistantEntry(
      "codex", "Codex CLI's prompts", .lines,
      [AssistantPlace(.home, ".codex", files: "history.jsonl", variable: "CODEX_HOME", followsFile: true)],
      versions: "lists of 2025 and 2026", verified: "2026-11: its source"),
    AssistantEntry(
      "chatgpt", "ChatGPT", .export, versions: "exports of 2023 to 2026", verified: "2026-11"),
    AssistantEntry(
      "claude-ai", "Claude.ai", .export, versions: "exports of 2023, 2025, 2026", verified: "2026-11"),
    AssistantEntry(
      "gemini-cli", "Gemini CLI", .document,
      [
        AssistantPlace(
          .home, "", ".gemini/tmp/*/chats", files: "session-*.json", "session-*.jsonl", depth: 1,
          variable: "GEMINI_CLI_HOME")
      ],
      versions: "0.11 to 0.16, and of 2026 with lines, `$set`, `$rewindTo`, agents",
      verified: "2026-11: its source"),
    AssistantEntry(
      "qwen-code", "Qwen Code", .lines,
      [AssistantPlace(.home, ".qwen", "projects", files: "*.jsonl", depth: 3, variable: "QWEN_HOME")],
      versions: "lines of 2026", verified: "2026-11: its source"),
    AssistantEntry(
      "llm", "llm", .database,
      [
        AssistantPlace(
          .settings, "io.datasette.llm", files: "logs.db", variable: "LLM_USER_PATH", followsFile: true)
      ],
      versions: "0.26, 0.36", verified: "2026-11"),
    AssistantEntry(
      "opencode", "opencode", .database,
      [AssistantPlace(.data, "opencode", files: "opencode.db", followsFile: true)],
      versions: "0.15 (folders), 1.2 (database)", verified: "2026-11: of folders its source"),
    AssistantEntry(
      "opencode", "Kilo Code", .database,
      [AssistantPlace(.data, "kilo", files: "kilo.db", followsFile: true)],
      versions: "its database of 2026, which has opencode's tables", verified: "2026-11: its source"),
    AssistantEntry(
      "cursor", "Cursor", .database,
      [
        AssistantPlace(.settings, "Cursor/User", "globalStorage", files: "state.vscdb", followsFile: true),
        AssistantPlace(
          .settings, "Cursor/User", "workspaceStorage/*", files: "state.vscdb", followsFile: true),
        AssistantPlace(.home, ".cursor", "chats", files: "store.db", depth: 2),
      ],
      versions: """
        2024 to 2026: chats of `workbench.panel.aichat`, composers within a workspace, `composerData` and \
        `bubbleId` rows (`_v` 1 to 10), `composerHeaders`; chats of the command line of 2026
        """, verified: "2026-11: public databases"),
    AssistantEntry(
      "cursor", "Cursor", .lines,
      [AssistantPlace(.home, ".cursor", "projects/*/agent-transcripts", files: "*.jsonl", depth: 2)],
      versions: "transcripts of 2026", verified: "2026-11: public descriptions and parsers",
      shape: ChatShape(
        voices: [
          "role=user": .me, "role=assistant": .assistant, "role=system": .program, "role=tool": .tool,
          "type=turn_ended": .nothing,
        ], text: ["message.content"], question: "user_query", stamp: "timestamp", agents: "subagents",
        marks: ["role", "message.content"]), repeats: true),
    AssistantEntry(
      "open-webui", "Open WebUI", .database,
      [
        AssistantPlace(.home, ".open-webui", files: "webui.db", followsFile: true),
        AssistantPlace(.root, "app/backend/data", files: "webui.db", followsFile: true),
      ],
      versions: "0.1.113 to 0.7: `webui.db`, and chats exported as JSON",
      verified: "2026-11: public databases"),
    AssistantEntry(
      "sillytavern", "SillyTavern", .document,
      [
        AssistantPlace(.home, "SillyTavern", "data/*/chats", files: "*.jsonl", depth: 1),
        AssistantPlace(.home, "SillyTavern", "data/*/group chats", files: "*.jsonl", depth: 1),
      ],
      versions: "1.10 to 1.13: times in four spellings, swipes, `extra` with reasoning, media and tools",
      verified: "2026-11: its source"),
    AssistantEntry(
      "crush", "Crush", .database,
      [AssistantPlace(.project, ".crush", files: "crush.db", followsFile: true)],
      versions: "schema of 2025-04 to 2026-01", verified: "2026-11: public databases"),
    AssistantEntry(
      "goose", "Goose", .database,
      [
        AssistantPlace(.data, "goose", "sessions", files: "sessions.db", followsFile: true),
        AssistantPlace(
          .home, "AppData/Roaming/Block/goose/data", "sessions", files: "sessions.db", followsFile: true),
      ],
      versions: "schema 5 to 9 of 2025 and 2026, files of lines before", verified: "2026-11: its source"),
    AssistantEntry(
      "zed", "Zed", .database,
      [
        AssistantPlace(.data, "zed", "threads", files: "threads.db", followsFile: true),
        AssistantPlace(
          .home, "Library/Application Support/Zed", "threads", files: "threads.db", followsFile: true),
        AssistantPlace(.home, "AppData/Local/Zed", "threads", files: "threads.db", followsFile: true),
      ],
      versions: "threads of version 0.2 and 0.3", verified: "2026-11: its source"),
    AssistantEntry(
      "continue", "Continue", .document,
      [
        AssistantPlace(
          .home, ".continue", "sessions", files: "*.json", belonging: ["sessions.json"],
          variable: "CONTINUE_GLOBAL_DIR")
      ],
      versions: "sessions of 2025 and 2026", verified: "2026-11: its source"),
    AssistantEntry(
      "kiro", "Kiro CLI", .database, .kiro("kiro-cli"), versions: "conversations of 2025 and 2026",
      verified: "2026-11: Amazon Q's source, on which it is based"),
    AssistantEntry(
      "kiro", "Amazon Q CLI", .database, .kiro("amazon-q"), versions: "conversations of 2025",
      verified: "2026-11: its source"),
    AssistantEntry(
      "lm-studio", "LM Studio", .document,
      [
        AssistantPlace(.home, ".lmstudio", "conversations", files: "*.conversation.json", depth: 8),
        AssistantPlace(.home, ".cache/lm-studio", "conversations", files: "*.conversation.json", depth: 8),
      ],
      versions: "0.3", verified: "2026-11: the documentation of other readers"),
    AssistantEntry(
      "gemini-takeout", "Gemini, Takeout", .export, versions: "2025 and 2026, JSON",
      verified: "2026-11: the documentation of other readers"),
    AssistantEntry(
      "character-ai", "Character.AI", .export,
      versions: "dumps of chats of 2022 and 2023, turns of its interface since",
      verified: "2026-11: the documentation of other readers"),
    AssistantEntry(
      "aider", "aider", .lines,
      [AssistantPlace(.project, "", files: ".aider.chat.history.md", followsFile: true)],
      versions: "0.86.1, 0.86.2", verified: "2026-11"),
    AssistantEntry(
      "cline", "Cline", .document,
      [
        .task(.editor, "globalStorage/saoudrizwan.claude-dev"), .task(.home, ".cline/data"),
      ],
      versions: "3 of 2025 and 2026", verified: "2026-11"),
    AssistantEntry(
      "cline", "Roo Code", .document, [.task(.editor, "globalStorage/rooveterinaryinc.roo-cline")],
      versions: "calls by tags, calls of the models' own, and lists of version 2", verified: "2026-11"),
    AssistantEntry(
      "cline", "Kilo Code", .document, [.task(.editor, "globalStorage/kilocode.kilo-code")],
      versions: "its tasks until 2026, which are Roo Code's", verified: "2026-11: descriptions of its folder"),
    AssistantEntry(
      "copilot", "GitHub Copilot CLI", .lines,
      [
        AssistantPlace(
          .home, ".copilot", "session-state", files: "events.jsonl", depth: 1, variable: "COPILOT_HOME")
      ],
      versions: "events of version 1", verified: "2026-11"),
    AssistantEntry(
      "copilot-chat", "GitHub Copilot in the editor", .document,
      [
        AssistantPlace(.editor, "", "workspaceStorage/*/chatSessions", files: "*.json", "*.jsonl"),
        AssistantPlace(.editor, "", "globalStorage/emptyWindowChatSessions", files: "*.json", "*.jsonl"),
      ],
      versions: "documents of version 3, lines of changes of 2026", verified: "2026-11"),
    AssistantEntry(
      "openhands", "OpenHands", .document,
      [AssistantPlace(.home, ".openhands", "conversations", files: "base_state.json", depth: 1)],
      versions: "events of its SDK, 2025 and 2026", verified: "2026-11: its source"),
    AssistantEntry(
      "pi", "Pi", .lines,
      [
        AssistantPlace(
          .home, ".pi/agent", "sessions", files: "*.jsonl", depth: 2, variable: "PI_CODING_AGENT_DIR")
      ],
      versions: "sessions of version 1 to 4", verified: "2026-11"),
    AssistantEntry(
      "pi", "OpenClaw", .database,
      [
        AssistantPlace(
          .home, ".openclaw", "agents/*/agent", files: "openclaw-agent.sqlite",
          variable: "OPENCLAW_STATE_DIR", followsFile: true)
      ],
      versions: "schema 1 to 24 (2026)", verified: "2026-11: its source"),
    AssistantEntry(
      "pi", "OpenClaw", .lines,
      [
        AssistantPlace(
          .home, ".openclaw", "agents/*/sessions", files: "*.jsonl", "*.jsonl.*",
          belonging: ["*.checkpoint.*", "*.trajectory.jsonl", "*.migrated*", "*.lock"], depth: 1,
          variable: "OPENCLAW_STATE_DIR")
      ],
      versions: "sessions of version 1 to 3, until July 2026", verified: "2026-11"),
    AssistantEntry(
      "droid", "Droid", .lines,
      [AssistantPlace(.home, ".factory", "sessions", files: "*.jsonl", depth: 1)],
      versions: "sessions of version 2", verified: "2026-11: other readers and their samples"),
    AssistantEntry(
      "amp", "Amp", .document, [AssistantPlace(.data, "amp", "threads", files: "T-*.json")],
      versions: "threads of version 1 to 3", verified: "2026-11"),
    AssistantEntry(
      "kimi", "Kimi Code CLI", .lines,
      [
        AssistantPlace(.home, ".kimi", "sessions", files: "wire.jsonl", depth: 2),
        AssistantPlace(
          .home, ".kimi-code", "sessions", files: "wire.jsonl", depth: 4, variable: "KIMI_CODE_HOME"),
      ],
      versions: "since 0.28 (2026) lines of protocol 1.0 to 1.5; before, as `kimi-cli`, of protocol 1.7",
      verified: "2026-11: its source"),
    AssistantEntry(
      "hermes", "Hermes Agent", .database,
      [AssistantPlace(.home, ".hermes", files: "state.db", followsFile: true)],
      versions: "schema 30 of 2026", verified: "2026-11: its source"),
    AssistantEntry(
      "deepseek", "DeepSeek", .export, versions: "exports with fragments, 2026",
      verified: "2026-11: descriptions of exports of 2026"),
    AssistantEntry(
      "grok", "Grok", .export, versions: "exports of 2026",
      verified: "2026-11: descriptions of exports of 2026"),
    AssistantEntry(
      "librechat", "LibreChat", .export, versions: "exports of 2024 to 2026 as JSON, as a list or a tree",
      verified: "2026-11: its source and the samples of its importer"),
    AssistantEntry(
      "specstory", "SpecStory", .export, versions: "Markdown of 2025, and v2.1 of 2026",
      verified: "2026-11: its source and its own histories"),
    AssistantEntry(
      "gptme", "gptme", .lines,
      [AssistantPlace(.data, "gptme", "logs", files: "conversation.jsonl", depth: 1)],
      versions: "logs of 2025 and 2026", verified: "2026-11: its source",
      shape: ChatShape(
        model: ["metadata.model"],
        usage: ChatShape.Usage(
          fresh: "metadata.usage.input_tokens", cached: "metadata.usage.cache_read_tokens",
          written: "metadata.usage.cache_creation_tokens", received: "metadata.usage.output_tokens",
          cost: "metadata.cost"),
        session: .folder(above: 0)),
      resume: ResumeCommand("gptme", ["--name", "ID"], .word(after: "20"))),
    AssistantEntry(
      "vibe", "Mistral Vibe", .lines,
      [
        AssistantPlace(
          .home, ".vibe", "logs/session", files: "messages.jsonl", depth: 1, variable: "VIBE_HOME")
      ],
      versions: "sessions of 2026", verified: "2026-11: its source",
      shape: ChatShape(
        voices: [
          "role=user injected=true": .program, "role=user": .me, "role=assistant": .assistant,
          "role=tool": .tool, "role=system": .program,
        ], time: ["start_time"], id: ["message_id"], title: ["title"],
        folder: ["environment.working_directory"], session: .folder(above: 0), facts: "meta.json",
        marks: ["role", "message_id"]),
      repeating: ["meta.json": ["session_id", "start_time"]]),
    AssistantEntry(
      "grok-build", "Grok Build", .lines,
      [
        AssistantPlace(
          .home, ".grok", "sessions", files: "chat_history.jsonl", depth: 2, variable: "GROK_HOME")
      ],
      versions: "sessions of 2026", verified: "2026-11: other readers",
      shape: ChatShape(
        voices: [
          "type=user synthetic_reason=*": .program, "type=user": .me, "type=assistant": .assistant,
          "type=reasoning": .assistant, "type=tool_result": .tool, "type=system": .program,
        ], thinking: ["summary"], time: ["created_at"], id: [], model: ["model_id"],
        title: ["session_summary", "generated_title"], folder: ["info.cwd"], session: .folder(above: 0),
        facts: "summary.json"),
      repeating: ["summary.json": ["info"], "updates.jsonl": ["method", "params"]]),
    AssistantEntry(
      "antigravity", "Antigravity", .lines,
      ["antigravity", "antigravity-cli", "antigravity-ide"].map { name in
        AssistantPlace(
          .home, ".gemini/\(name)", "brain", files: "transcript_full.jsonl", "transcript.jsonl", depth: 3,
          hidden: [".system_generated": ["logs"]], isFolderOneSession: true)
      },
      versions: "transcripts of 2026", verified: "2026-11: public parsers and their samples",
      shape: ChatShape(
        voices: [
          "type=CONVERSATION_HISTORY": .nothing, "source=SYSTEM": .program, "type=USER_INPUT": .me,
          "type=PLANNER_RESPONSE": .assistant, "source=MODEL type=*": .tool, "source=USER_EXPLICIT": .me,
          "source=MODEL": .assistant,
        ], time: ["created_at"], id: ["step_index"], areArgumentsEncoded: true, question: "USER_REQUEST",
        context: "ADDITIONAL_METADATA",
        usage: ChatShape.Usage(
          fresh: "input_tokens", cached: "cache_read_tokens", received: "output_tokens"),
        session: .folder(above: 2), marks: ["step_index", "source", "type"]),
      fuller: ["transcript.jsonl": "transcript_full.jsonl"],
      repeating: ["history.jsonl": ["display", "conversationId"]],
      resume: ResumeCommand("agy", ["--conversation", "ID"], .uuid)),
  ]

  /// The formats of programs that have only their entries.
  static let chats: [Format] = {
    let own = Set(programs.map(\.name))
    var formats: [Format] = []
    for entry in assistants where !own.contains(entry.format) {
      guard let shape = entry.shape, !formats.contains(where: { $0.name == entry.format }) else { continue }
      formats.append(
        Format(
          entry.format, "\(entry.program)'s sessions",
          { JSONRowsReader(ChatLines(entry, shape, file: $0, options: $1), file: $0) }, resume: entry.resume))
    }
    return formats
  }()
}

extension AssistantPlace {
  fileprivate static func task(_ base: Base, _ own: String) -> AssistantPlace {
    AssistantPlace(
      base, own, "tasks", files: "api_conversation_history.json", "ui_messages.json", "claude_messages.json",
      depth: 1, isFolderOneSession: true)
  }
}

extension [AssistantPlace] {
  fileprivate static func kiro(_ own: String) -> [AssistantPlace] {
    [
      AssistantPlace(.data, own, files: "data.sqlite3", followsFile: true),
      AssistantPlace(.home, "Library/Application Support/\(own)", files: "data.sqlite3", followsFile: true),
    ]
  }
}
