import MessageModel
import Testing

/// Records of assistants that lack what others of their kind have.
@Suite struct DroppedRecordTests {
  struct Records: CustomTestStringConvertible, Sendable {
    var file: String
    var text: String
    var bodies: [String] = []
    var reasons: [String] = []

    init(_ file: String, _ text: String, _ bodies: [String], skipped reasons: [String] = []) {
      (self.file, self.text, self.bodies, self.reasons) = (file, text, bodies, reasons)
    }

    var testDescription: String { file }
  }

  private static let claude =
    #""sessionId":"s","timestamp":"2026-03-01T10:00:01.000Z","isSidechain":false,"cwd":"/tea","version":"2.1.12""#
  private static let records: [Records] = [
    Records(
      "s.jsonl",
      """
      {\(claude),"uuid":"a","type":"user","message":{"role":"user","content":"hello"}}
      {\(claude),"uuid":"b","type":"user","message":{"role":"user","content":""}}
      {\(claude),"uuid":"c","type":"user"}
      {\(claude),"uuid":"d","type":"assistant","message":{"content":[{"type":"text","words":"hi"}]}}
      {\(claude),"uuid":"e","type":"assistant","message":{"content":[{"type":"thinking","thinking":"","signature":"x"}]}}
      {\(claude),"uuid":"f","type":"assistant","message":{"content":[{"type":"thinking","thinking":""}]}}
      {\(claude),"uuid":"g","type":"system","subtype":"turn_duration"}
      {\(claude),"uuid":"h","type":"system","subtype":"tea_time"}
      {\(claude),"uuid":"i","type":"attachment","attachment":{"type":"todo_reminder"}}
      {\(claude),"uuid":"j","type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"and tea"}]}}
      {"uuidv7":"k"}
      """,
      [
        "session in /tea, Claude Code 2.1.12", "hello", "[message without text]",
        #"{\#(claude),"uuid":"c","type":"user"}"#, #"{"type":"text","words":"hi"}"#, "[thinking]",
        "[tea_time]",
        "and tea",
      ], skipped: ["it has no id, and no kind or no session"]),
    Records(
      "conversations.json",
      """
      [{"uuid":"x","name":"Tea"},{"uuid":"y","name":"Tea","chat_messages":[
      {"uuid":"m","text":"","content":[],"sender":"human","created_at":"2026-03-01T00:00:00Z"}]}]
      """, ["[message without text]"], skipped: ["it has no messages"]),
    Records(
      "tasks/1772359200000/api_conversation_history.json",
      """
      [{"role":"user","ts":1772359200100},
      {"role":"assistant","content":[{"type":"reasoning","words":"hm"}],"ts":1772359200200},
      {"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"<environment_details>"}],"ts":1772359200300},
      {"role":"user","content":[{"type":"text","text":"[read_file for 'tea'] Result:"}],"ts":1772359200400}]
      """,
      [
        #"{"role":"user","ts":1772359200100}"#, #"{"type":"reasoning","words":"hm"}"#,
        "[message without text]",
        "(no output)",
      ]),
    Records(
      "tasks/1772359200000/ui_messages.json",
      """
      [{"ts":1772359200100,"type":"say","say":"text","text":"hello"},{"ts":1772359200200,"type":"say","say":"text","text":""},
      {"ts":1772359200300,"type":"ask","ask":"command_output","text":""},
      {"ts":1772359200400,"type":"ask","ask":"completion_result","text":""},{"ts":1772359200500,"type":"say","saying":"tea"}]
      """,
      [
        "hello", "[message without text]", "[command_output]",
        #"{"ts":1772359200500,"type":"say","saying":"tea"}"#,
      ]),
    Records(
      "T-1.json",
      #"{"v":3,"id":"T-1","created":1772359200000,"messages":[{"role":"user","messageId":0},{"role":"assistant","content":[]}]}"#,
      [#"{"role":"user","messageId":0}"#, "[message without text]"]),
    Records(
      "session-state/1/events.jsonl",
      """
      {"type":"session.start","data":{"sessionId":"s"},"id":"a","timestamp":"2026-03-01T10:00:01.000Z"}
      {"type":"user.message","data":{"content":""},"id":"b","timestamp":"2026-03-01T10:00:02.000Z"}
      {"type":"assistant.message","data":{"content":"","reasoningOpaque":"x"},"id":"c","timestamp":"2026-03-01T10:00:03.000Z"}
      {"type":"session.info","data":{},"id":"d","timestamp":"2026-03-01T10:00:04.000Z"}
      {"data":{"content":"hi"},"id":"e","timestamp":"2026-03-01T10:00:05.000Z"}
      {"data":{"content":"hi"},"id":"f"}
      """,
      [
        "session", "[message without text]", "[session.info]",
        #"{"data":{"content":"hi"},"id":"e","timestamp":"2026-03-01T10:00:05.000Z"}"#,
      ], skipped: ["it has no time"]),
    Records(
      "chatSessions/1.json",
      """
      {"responderUsername":"GitHub Copilot","creationDate":1772359200000,"requests":[
      {"requestId":"a","message":{},"response":[{"value":""}]},{"requestId":"b","message":{"text":"hi"},"response":[{"words":"ho"}]}]}
      """, ["[message without text]", "[message without text]", "hi", #"{"words":"ho"}"#]),
    Records(
      "chatSessions/2.jsonl",
      """
      {"kind":0,"v":{"creationDate":1772359200000,"responderUsername":"GitHub Copilot","requests":null}}
      {"kind":2,"k":["requests"],"v":[{"requestId":"a","message":{"text":"hi"}}]}
      {"kind":2,"v":[{"requestId":"b","message":{"text":"ho"}}]}
      {"kind":2,"k":["creationDate"],"v":[1]}
      """, ["hi"], skipped: ["it does not say what it changes", "it adds to what is not a list"]),
    Records(
      "rollout-1.jsonl",
      """
      {"timestamp":"2026-03-01T11:00:00Z","type":"session_meta","payload":{"id":"s","timestamp":"2026-03-01T11:00:00Z"}}
      {"timestamp":"2026-03-01T11:00:01Z","type":"response_item","payload":{"role":"user","content":"hello"}}
      {"timestamp":"2026-03-01T11:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[]}}
      {"timestamp":"2026-03-01T11:00:03Z","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}}
      {"timestamp":"2026-03-01T11:00:04Z","type":"event_msg","payload":{"type":"error"}}
      {"timestamp":"2026-03-01T11:00:05Z","payload":{}}
      {"timestamp":"2026-03-01T11:00:06Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"words":"ho"}]}}
      {"timestamp":"2026-03-01T11:00:07Z","type":"compacted","payload":{"message":"","replacement_history":[]}}
      """,
      [
        "session", "hello", "[message without text]", "[error]",
        #"{"timestamp":"2026-03-01T11:00:05Z","payload":{}}"#, #"{"words":"ho"}"#, "context compacted",
      ]),
    Records(
      "sessions/1.jsonl",
      """
      {"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/tea"}
      {"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":[]}}
      {"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant"}}
      {"type":"message","id":"c","parentId":"b","timestamp":"2026-03-01T10:00:03.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"","thinkingSignature":"x"}]}}
      {"type":"model_change","id":"d","parentId":"c","timestamp":"2026-03-01T10:00:04.000Z"}
      """,
      [
        "session in /tea, Pi, format 3", "[message without text]",
        #"{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant"}}"#,
        "[model_change]",
      ]),
    Records(
      "sessions/1/wire.jsonl",
      """
      {"timestamp":1772359201.5,"message":{"type":"TurnBegin","payload":{"user_input":""}}}
      {"timestamp":1772359202.5,"message":{"type":"ContentPart","payload":{"type":"text","words":"hi"}}}
      {"timestamp":1772359203.5,"message":{"type":"ContentPart","payload":{"type":"think","think":"","encrypted":"x"}}}
      {"timestamp":1772359204.5,"message":{"type":"ApprovalResponse","payload":{}}}
      {"timestamp":1772359205.5}
      """,
      [
        "[message without text]",
        #"{"timestamp":1772359202.5,"message":{"type":"ContentPart","payload":{"type":"text","words":"hi"}}}"#,
        #"{"timestamp":1772359204.5,"message":{"type":"ApprovalResponse","payload":{}}}"#,
      ], skipped: ["it has no message"]),
    Records(
      "1768085964080.conversation.json",
      """
      {"name":"Tea","createdAt":1768085964080,"systemPrompt":"","messages":[{"versions":[]},
      {"versions":[{"role":"user"}],"currentlySelected":0},
      {"versions":[{"role":"assistant","steps":[{"type":"contentBlock","content":[{"type":"text","words":"hi"}]}]}],"currentlySelected":0}]}
      """, ["[message without text]", #"{"type":"text","words":"hi"}"#], skipped: ["it has no versions"]),
    Records(
      "chats/session-1.jsonl",
      """
      {"sessionId":"s","projectHash":"h","startTime":"2026-03-01T12:00:00.000Z"}
      {"id":"a","timestamp":"2026-03-01T12:00:01.000Z","type":"user","content":""}
      {"id":"b","timestamp":"2026-03-01T12:00:02.000Z","type":"gemini","content":""}
      {"id":"b","timestamp":"2026-03-01T12:00:02.000Z","type":"gemini","content":"hi"}
      {"id":"c","timestamp":"2026-03-01T12:00:03.000Z","type":"user","content":[{"words":"ho"}]}
      {"timestamp":"2026-03-01T12:00:04.000Z","type":"user","content":"lost"}
      {"$set":{"lastUpdated":"2026-03-01T12:00:22.000Z"}}
      """, ["[message without text]", "hi", #"{"words":"ho"}"#], skipped: ["it has no id"]),
    Records(
      "MyActivity.json",
      """
      [{"header":"Gemini Apps","products":["Gemini Apps"],"title":"Prompted ","time":"2026-02-02T07:24:02Z","safeHtmlItem":[{"words":"hi"}]}]
      """, ["[Prompted]", #"{"words":"hi"}"#]),
    Records(
      "Seraphina/1.jsonl",
      """
      {"user_name":"Ann","character_name":"Seraphina","create_date":"2024-02-29T12:00:00.000Z","chat_metadata":{}}
      {"name":"Ann","is_user":true,"send_date":"2024-02-29T12:00:01.000Z","mes":""}
      {"name":"Seraphina","is_user":false,"send_date":"2024-02-29T12:00:02.000Z","mes":"Yes.","swipe_id":0,"swipes":["Yes.",""]}
      """, ["[message without text]", "[message without text]", "Yes."]),
    Records(
      "conversations-000.json",
      """
      [{"title":"Tea","create_time":1767258000,"id":"c","current_node":"d","mapping":{
      "a":{"id":"a","message":{"id":"a","author":{"role":"user"},"content":{"content_type":"text","parts":[""]}}},
      "b":{"id":"b","parent":"a","message":{"id":"b","author":{"role":"assistant"},"content":{"content_type":"text","parts":[""]}}},
      "c":{"id":"c","parent":"b","message":{"id":"c","author":{"role":"assistant"},"content":{"content_type":"text","words":"hi"}}},
      "d":{"id":"d","parent":"c","message":{"id":"d","author":{"role":"tool"},"content":{"content_type":"multimodal_text","parts":[{"content_type":"tea_pointer"}]}}}}}]
      """, ["[message without text]", #"{"content_type":"text","words":"hi"}"#, "[tea_pointer]"]),
    Records(
      "turns.json",
      """
      {"turns":[{"turn_key":{"chat_id":"c","turn_id":"a"},"author":{"is_human":true,"name":"Ann"},"create_time":"2024-02-01T10:00:00Z",
      "candidates":[{"candidate_id":"a","raw_content":""}]},
      {"turn_key":{"chat_id":"c","turn_id":"b"},"author":{"name":"Seraphina"},"create_time":"2024-02-01T10:00:01Z"}]}
      """, ["[message without text]"], skipped: ["it has no candidates"]),
    Records(
      "chat-export.json",
      """
      [{"id":"c","title":"Tea","chat":{"history":{"currentId":"b","messages":{
      "a":{"id":"a","parentId":null,"childrenIds":["b"],"role":"user","timestamp":1767258000},
      "b":{"id":"b","parentId":"a","childrenIds":[],"role":"assistant","timestamp":1767258001,"output":[{"type":"message","content":[{"type":"tea","words":"hi"}]}]}}}}}]
      """, ["[message without text]", "[tea]"]),
  ]

  @Test(arguments: records)
  func `a record that says nothing is named, and one that is not understood is kept or reported`(
    records: Records
  ) throws {
    let found = try Fixture.withFolder { folder in
      try Fixture.write(Array("\(records.text)\n".utf8), to: "\(folder)/\(records.file)")
      return try ImportPicture([folder])
    }
    #expect(found.messages.map(\.body) == records.bodies)
    #expect(found.skipped.map(\.reason) == records.reasons)
  }
}
