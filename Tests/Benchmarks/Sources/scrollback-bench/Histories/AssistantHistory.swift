import Foundation
import MessageModel
import MessageSourceTesting
import TestSupport

/// A made-up session of an assistant, in the shapes in which programs write theirs: questions, thoughts, calls of a tool, results
/// and answers.
struct AssistantHistory {
  /// A program that writes sessions.
  enum Shape: String, CaseIterable {
    case claudeCode = "Claude Code"
    case pi = "Pi"
    case kimi = "Kimi Code CLI"
    case cline = "Cline"
    case amp = "Amp"
    case copilotChat = "Copilot in Visual Studio Code"
    case gemini = "Gemini CLI"
    case takeout = "Gemini's Takeout"
    case aider = "aider"

    /// Where its file lies in a folder: some are told by that.
    var path: String {
      switch self {
      case .claudeCode: "-home-ann-tea/5b1c7a10-0000-4000-8000-000000000001.jsonl"
      case .pi:
        "agent/sessions/--home-ann-tea--/2026-03-01T10-00-00-000Z_019c0000-0000-7000-8000-000000000001.jsonl"
      case .kimi: "sessions/0c7a1e5b9d3f4a6e8b2c4d6e8f0a1b2c/8d1c7a10-0000-4000-8000-000000000001/wire.jsonl"
      case .cline: "tasks/1772359200000/api_conversation_history.json"
      case .amp: "threads/T-5b1c7a10-0000-4000-8000-000000000001.json"
      case .copilotChat: "workspaceStorage/h1/chatSessions/0fb1b9c7-0000-4000-8000-000000000001.json"
      case .gemini: "79b6/chats/session-2026-03-01T12-00-9e000000.json"
      case .takeout: "Takeout/My Activity/Gemini Apps/MyActivity.json"
      case .aider: "tea/.aider.chat.history.md"
      }
    }
  }

  /// A question and what came of it.
  struct Turn {
    let number: Int
    /// The time of the question, in milliseconds since 1970.
    let time: Int64
    let question, thought, remark, file, result, answer: String

    var call: String { "call\(number)" }

    func moment(_ later: Int64) -> WrittenJSON {
      .text(Timestamp(millisecondsSince1970: time + later).formatted)
    }
  }

  let turns: [Turn]

  /// Makes a session up, the same each time.
  init(turnCount: Int) {
    var random = SeededGenerator(seed: 1)
    let text = MadeUpText()
    func words(_ count: Int, _ random: inout SeededGenerator) -> String {
      var parts: [String] = []
      var bytes: [UInt8] = []
      for _ in 0..<count {
        text.write(.text, by: 0, to: &bytes, with: &random)
        parts.append(String(decoding: bytes, as: UTF8.self))
      }
      return parts.joined(separator: "\n")
    }
    var time: Int64 = 1_772_359_200_000
    turns = (0..<turnCount).map { number in
      time += Int64(2_000 + random.below(90_000))
      return Turn(
        number: number, time: time, question: words(2, &random), thought: words(3, &random),
        remark: words(1, &random), file: "src/part\(random.below(40)).swift", result: words(12, &random),
        answer: words(5, &random))
    }
  }

  /// Returns the session as a program writes it.
  func bytes(_ shape: Shape) -> [UInt8] {
    switch shape {
    case .claudeCode: claudeCode
    case .pi: pi
    case .kimi: kimi
    case .cline: cline
    case .amp: amp
    case .copilotChat: copilotChat
    case .gemini: gemini
    case .takeout: takeout
    case .aider: aider
    }
  }

  private static func lines(_ values: [WrittenJSON]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values {
      bytes += value.bytes
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  private static func part(_ type: String, _ key: String, _ text: String) -> WrittenJSON {
    .of(["type": .text(type), key: .text(text)])
  }

  // MARK: Lines

  private var claudeCode: [UInt8] {
    var parent: String?
    var number = 0
    func record(_ type: String, _ time: WrittenJSON, _ message: WrittenJSON) -> WrittenJSON {
      let id = "00000000-0000-4000-8000-\(String(1_000_000_000_000 + number).dropFirst())"
      number += 1
      defer { parent = id }
      return .of([
        "parentUuid": .text(parent ?? ""), "isSidechain": .flag(false), "cwd": .text("/home/ann/tea"),
        "sessionId": .text("5b1c7a10-0000-4000-8000-000000000001"), "version": .text("2.0.0"),
        "gitBranch": .text("main"), "type": .text(type), "message": message, "uuid": .text(id),
        "timestamp": time,
      ])
    }
    func answer(_ id: String, _ content: [WrittenJSON]) -> WrittenJSON {
      .of([
        "id": .text(id), "type": .text("message"), "role": .text("assistant"),
        "model": .text("claude-opus-4-5"), "content": .list(content),
        "usage": .of(["input_tokens": .number(10), "output_tokens": .number(5)]),
      ])
    }
    return Self.lines(
      turns.flatMap { turn in
        [
          record(
            "user", turn.moment(0), .of(["role": .text("user"), "content": .text(turn.question)])),
          record(
            "assistant", turn.moment(100),
            answer(
              "m\(turn.number)",
              [
                Self.part("thinking", "thinking", turn.thought), Self.part("text", "text", turn.remark),
                .of([
                  "type": .text("tool_use"), "id": .text(turn.call), "name": .text("Read"),
                  "input": .of(["file_path": .text(turn.file)]),
                ]),
              ])),
          record(
            "user", turn.moment(200),
            .of([
              "role": .text("user"),
              "content": .list([
                .of([
                  "tool_use_id": .text(turn.call), "type": .text("tool_result"),
                  "content": .text(turn.result),
                ])
              ]),
            ])),
          record(
            "assistant", turn.moment(300),
            answer("n\(turn.number)", [Self.part("text", "text", turn.answer)])),
        ]
      })
  }

  private var pi: [UInt8] {
    var parent = ""
    var number = 0
    func entry(_ turn: Turn, _ later: Int64, _ role: String, _ parts: [(String, WrittenJSON)]) -> WrittenJSON
    {
      let id = "a\(String(10_000_000 + number).dropFirst())"
      number += 1
      defer { parent = id }
      let message: [(key: String, value: WrittenJSON)] =
        [("role", .text(role))] + parts.map { (key: $0.0, value: $0.1) }
        + [("timestamp", .number(turn.time + later))]
      return .of([
        "type": .text("message"), "id": .text(id), "parentId": .text(parent), "timestamp": turn.moment(later),
        "message": .object(message),
      ])
    }
    let start = WrittenJSON.of([
      "type": .text("session"), "version": .number(3), "id": .text("019c0000-0000-7000-8000-000000000001"),
      "timestamp": turns[0].moment(0), "cwd": .text("/home/ann/tea"),
    ])
    let model = ("model", WrittenJSON.text("claude-opus-4-5"))
    return Self.lines(
      [start]
        + turns.flatMap { turn in
          [
            entry(turn, 0, "user", [("content", .list([Self.part("text", "text", turn.question)]))]),
            entry(
              turn, 100, "assistant",
              [
                (
                  "content",
                  .list([
                    Self.part("thinking", "thinking", turn.thought), Self.part("text", "text", turn.remark),
                    .of([
                      "type": .text("toolCall"), "id": .text(turn.call), "name": .text("read"),
                      "arguments": .of(["path": .text(turn.file)]),
                    ]),
                  ])
                ), model,
                (
                  "usage",
                  .of(["input": .number(200), "output": .number(50), "cost": .of(["total": .real(0.01)])])
                ),
              ]),
            entry(
              turn, 200, "toolResult",
              [
                ("content", .list([Self.part("text", "text", turn.result)])),
                ("toolCallId", .text(turn.call)),
                ("toolName", .text("read")), ("isError", .flag(false)),
              ]),
            entry(
              turn, 300, "assistant", [("content", .list([Self.part("text", "text", turn.answer)])), model]),
          ]
        })
  }

  private var kimi: [UInt8] {
    func event(_ turn: Turn, _ later: Int64, _ type: String, _ payload: WrittenJSON) -> WrittenJSON {
      .of([
        "timestamp": .real(Double(turn.time + later) / 1_000),
        "message": .of(["type": .text(type), "payload": payload]),
      ])
    }
    let start = WrittenJSON.of(["type": .text("metadata"), "protocol_version": .text("1.7")])
    return Self.lines(
      [start]
        + turns.flatMap { turn in
          [
            event(
              turn, 0, "TurnBegin", .of(["user_input": .list([Self.part("text", "text", turn.question)])])),
            event(turn, 100, "ContentPart", Self.part("think", "think", turn.thought)),
            event(turn, 110, "ContentPart", Self.part("text", "text", turn.remark)),
            event(
              turn, 120, "ToolCall",
              .of([
                "type": .text("function"), "id": .text(turn.call),
                "function": .of([
                  "name": .text("ReadFile"), "arguments": .text("{\"path\": \"\(turn.file)\"}"),
                ]),
              ])),
            event(
              turn, 200, "ToolResult",
              .of([
                "tool_call_id": .text(turn.call),
                "return_value": .of(["is_error": .flag(false), "output": .text(turn.result)]),
              ])),
            event(turn, 300, "ContentPart", Self.part("text", "text", turn.answer)),
          ]
        })
  }

  // MARK: Documents

  private var cline: [UInt8] {
    WrittenJSON.list(
      turns.flatMap { turn in
        [
          .of([
            "role": .text("user"),
            "content": .list([
              Self.part("text", "text", "<task>\n\(turn.question)\n</task>"),
              Self.part(
                "text", "text",
                "<environment_details>\n# Current Working Directory (/home/ann/tea) Files\n</environment_details>"
              ),
            ]), "ts": .number(turn.time),
          ]),
          .of([
            "role": .text("assistant"),
            "content": .list([
              Self.part("thinking", "thinking", turn.thought), Self.part("text", "text", turn.remark),
              .of([
                "type": .text("tool_use"), "id": .text(turn.call), "name": .text("read_file"),
                "input": .of(["path": .text(turn.file)]),
              ]),
            ]), "modelInfo": .of(["modelId": .text("claude-sonnet-4")]),
            "metrics": .of(["tokens": .of(["prompt": .number(2_400), "completion": .number(91)])]),
            "ts": .number(turn.time + 100),
          ]),
          .of([
            "role": .text("user"),
            "content": .list([
              .of([
                "type": .text("tool_result"), "tool_use_id": .text(turn.call),
                "content": .list([Self.part("text", "text", turn.result)]),
              ])
            ]), "ts": .number(turn.time + 200),
          ]),
          .of([
            "role": .text("assistant"), "content": .list([Self.part("text", "text", turn.answer)]),
            "ts": .number(turn.time + 300),
          ]),
        ]
      }
    ).bytes
  }

  private var amp: [UInt8] {
    func usage(_ turn: Turn, _ later: Int64) -> WrittenJSON {
      .of([
        "model": .text("claude-opus-4-5"), "inputTokens": .number(10), "outputTokens": .number(50),
        "timestamp": turn.moment(later),
      ])
    }
    let messages = turns.flatMap { turn -> [WrittenJSON] in
      let id = Int64(turn.number * 4)
      return [
        .of([
          "role": .text("user"), "messageId": .number(id),
          "content": .list([Self.part("text", "text", turn.question)]),
          "meta": .of(["sentAt": .number(turn.time)]),
        ]),
        .of([
          "role": .text("assistant"), "messageId": .number(id + 1),
          "content": .list([
            Self.part("thinking", "thinking", turn.thought), Self.part("text", "text", turn.remark),
            .of([
              "type": .text("tool_use"), "id": .text(turn.call), "name": .text("Read"),
              "input": .of(["path": .text(turn.file)]),
            ]),
          ]), "usage": usage(turn, 100),
        ]),
        .of([
          "role": .text("user"), "messageId": .number(id + 2),
          "content": .list([
            .of([
              "type": .text("tool_result"), "toolUseID": .text(turn.call),
              "run": .of(["status": .text("done"), "result": .of(["content": .text(turn.result)])]),
            ])
          ]),
        ]),
        .of([
          "role": .text("assistant"), "messageId": .number(id + 3),
          "content": .list([Self.part("text", "text", turn.answer)]), "usage": usage(turn, 300),
        ]),
      ]
    }
    return WrittenJSON.of([
      "v": .number(3), "id": .text("T-5b1c7a10-0000-4000-8000-000000000001"),
      "created": .number(turns[0].time),
      "messages": .list(messages),
    ]).bytes
  }

  private var copilotChat: [UInt8] {
    let requests = turns.map { turn in
      WrittenJSON.of([
        "requestId": .text("r\(turn.number)"), "timestamp": .number(turn.time),
        "message": .of(["text": .text(turn.question)]),
        "response": .list([
          .of(["kind": .text("thinking"), "value": .text(turn.thought)]), .of(["value": .text(turn.remark)]),
          .of([
            "kind": .text("toolInvocationSerialized"), "toolId": .text("copilot_readFile"),
            "toolCallId": .text(turn.call), "isComplete": .flag(true),
          ]), .of(["value": .text(turn.answer)]),
        ]),
        "result": .of([
          "metadata": .of([
            "promptTokens": .number(2_400), "outputTokens": .number(91),
            "toolCallRounds": .list([
              .of([
                "toolCalls": .list([
                  .of([
                    "id": .text(turn.call), "name": .text("read_file"),
                    "arguments": .text("{\"filePath\":\"\(turn.file)\"}"),
                  ])
                ])
              ])
            ]),
            "toolCallResults": .object([
              (turn.call, .of(["content": .list([.of(["value": .text(turn.result)])])]))
            ]),
          ])
        ]),
      ])
    }
    return WrittenJSON.of([
      "version": .number(3), "requesterUsername": .text("ann"), "responderUsername": .text("GitHub Copilot"),
      "requests": .list(requests),
    ]).bytes
  }

  private var gemini: [UInt8] {
    let model = WrittenJSON.text("gemini-2.5-pro")
    let messages = turns.flatMap { turn -> [WrittenJSON] in
      [
        .of([
          "id": .text("u\(turn.number)"), "timestamp": turn.moment(0), "type": .text("user"),
          "content": .text(turn.question),
        ]),
        .of([
          "id": .text("g\(turn.number)"), "timestamp": turn.moment(100), "type": .text("gemini"),
          "content": .text(turn.remark),
          "thoughts": .list([.of(["subject": .text("Tea"), "description": .text(turn.thought)])]),
          "toolCalls": .list([
            .of([
              "id": .text(turn.call), "name": .text("read_file"), "args": .of(["path": .text(turn.file)]),
              "result": .list([
                .of(["functionResponse": .of(["response": .of(["output": .text(turn.result)])])])
              ]), "status": .text("success"),
            ])
          ]), "tokens": .of(["input": .number(100), "output": .number(5)]), "model": model,
        ]),
        .of([
          "id": .text("h\(turn.number)"), "timestamp": turn.moment(300), "type": .text("gemini"),
          "content": .text(turn.answer), "model": model,
        ]),
      ]
    }
    return WrittenJSON.of([
      "sessionId": .text("9e000000-0000-4000-8000-000000000001"), "projectHash": .text("79b6"),
      "startTime": turns[0].moment(0), "messages": .list(messages),
    ]).bytes
  }

  private var takeout: [UInt8] {
    WrittenJSON.list(
      turns.reversed().map { turn in
        let answer = "\(turn.answer)\n\(turn.result)".replacing("&", with: "&amp;").replacing(
          "<", with: "&lt;"
        )
        .replacing("\n", with: "</p><p>")
        return .of([
          "header": .text("Gemini Apps"), "title": .text("Prompted \(turn.question)"), "time": turn.moment(0),
          "products": .list([.text("Gemini Apps")]),
          "safeHtmlItem": .list([.of(["html": .text("<p>\(answer)</p>")])]),
        ])
      }
    ).bytes
  }

  private var aider: [UInt8] {
    var text = """

      # aider chat started at 2026-03-01 10:00:00

      > Aider v0.86.1\u{20}\u{20}
      > Model: gpt-5 with whole edit format\u{20}\u{20}

      """
    for turn in turns {
      let question = turn.question.split(separator: "\n").map { "#### \($0)  " }.joined(separator: "\n")
      text += """

        \(question)

        \(turn.remark)

        \(turn.answer)

        \(turn.result)

        > Tokens: 1.1k sent, 12 received.\u{20}\u{20}

        """
    }
    return Array(text.utf8)
  }
}

extension Timestamp {
  /// The time as programs write it: `2026-03-01T10:00:00.000Z`.
  fileprivate var formatted: String {
    var bytes: [UInt8] = []
    ISO8601.write(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
