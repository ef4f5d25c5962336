import Foundation
import HistoryQueries
import ShellTesting
import TestSupport
import Testing

/// What turns of Claude Code and Codex used, from their files to `scrollback usage`.
@Suite struct AssistantUsageTests {
  private func usage(_ fixture: ShellFixture, _ arguments: String...) throws -> [UsageGroupAnswer] {
    try fixture.run(["usage", "--json"] + arguments).output.split(separator: "\n").map {
      try JSONDecoder().decode(UsageGroupAnswer.self, from: Data($0.utf8))
    }
  }

  /// Imports files by their names, and returns the tokens sent and received of each model.
  private func imported(_ files: [(name: String, lines: [String])], into fixture: ShellFixture) throws
    -> [String: [Int64]]
  {
    for (name, lines) in files {
      let file = fixture.folder.appending(path: name)
      try lines.map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
      let answer = try fixture.run(["import", "--quiet", file.path])
      #expect(answer.status == 0, "\(answer)")
    }
    let models = try usage(fixture, "--by", "model")
    return Dictionary(
      uniqueKeysWithValues: models.map {
        ($0.model ?? "", [$0.tokensSent, $0.tokensCached ?? 0, $0.tokensReceived])
      })
  }

  private func claude(
    _ id: String, after parent: String?, in session: String = "5b1c7a10-0000-4000-8000-000000000001",
    second: Int, _ reply: (id: String, model: String, sent: Int, cached: Int, received: Int)? = nil,
    more: String = ""
  ) -> String {
    let usage = reply.map {
      #""usage":{"input_tokens":\#($0.sent - $0.cached - 2),"cache_read_input_tokens":\#($0.cached),"#
        + #""cache_creation_input_tokens":2,"output_tokens":\#($0.received)}"#
    }
    let message: String
    if let reply, let usage {
      message = """
        {"id":"\(reply.id)","role":"assistant","model":"\(reply.model)","content":[{"type":"text","text":"\(id)"}],\(usage)}
        """
    } else {
      message = #"{"role":"user","content":"question \#(id)"}"#
    }
    let parent = parent.map { "\"\($0)\"" } ?? "null"
    return """
      {"parentUuid":\(parent),"isSidechain":false,"cwd":"/home/ann/tea","sessionId":"\(session)",\(more)\
      "type":"\(reply == nil ? "user" : "assistant")","message":\(message),"uuid":"\(id)",\
      "timestamp":"2026-03-01T10:00:\(10 + second).000Z"}
      """
  }

  @Test
  func `replies of Claude Code count once, where a session is resumed, forked, compacted or still grows`()
    throws
  {
    let (opus, haiku) = ("claude-opus-4-1-20250805", "claude-haiku-4-5-20251001")
    let first = [
      claude("u1", after: nil, second: 0),
      // Parts of a reply have what it used so far.
      claude("a1", after: "u1", second: 1, ("m1", opus, 1_000, 900, 3)),
      claude("a2", after: "a1", second: 2, ("m1", opus, 1_000, 900, 40)),
      claude("a3", after: "a2", second: 3, ("m2", haiku, 500, 100, 7)),
      claude("a4", after: "a3", second: 4, ("m3", opus, 2_000, 1_500, 60)),
    ]
    let rest = [
      claude("u2", after: "a4", second: 5),
      claude("c1", after: "u2", second: 6, more: #""isCompactSummary":true,"#),
      claude("a5", after: "c1", second: 7, ("m4", opus, 300, 0, 9)),
    ]
    let (second, third) = (
      "5b1c7a10-0000-4000-8000-000000000002", "5b1c7a10-0000-4000-8000-000000000003"
    )
    func copies(in session: String, more: String) -> [String] {
      (first + rest).map {
        $0.replacing(
          #""sessionId":"5b1c7a10-0000-4000-8000-000000000001","#,
          with: #""sessionId":"\#(session)",\#(more)"#)
      }
    }
    let forked =
      copies(in: second, more: #""forkedFrom":{"sessionId":"s","messageUuid":"u"},"#) + [
        claude("u8", after: "a5", in: second, second: 20),
        claude("a8", after: "u8", in: second, second: 21, ("m8", haiku, 80, 10, 1)),
      ]
    let resumed =
      copies(in: third, more: "") + [
        claude("u9", after: "a5", in: third, second: 30),
        claude("a9", after: "u9", in: third, second: 31, ("m9", opus, 90, 20, 2)),
      ]
    let fixture = try ShellFixture(count: 0)
    // The file is imported three times while the first turn goes on.
    let found = try imported(
      [
        ("a.jsonl", Array(first.prefix(2))), ("a.jsonl", Array(first.prefix(4))), ("a.jsonl", first),
        ("a.jsonl", first + rest), ("b.jsonl", forked), ("c.jsonl", resumed),
        ("a.jsonl", Array(first.prefix(2))),
      ], into: fixture)
    // The sums of what the last part of each of m1 to m9 says.
    #expect(found[opus] == [3_390, 2_420, 111], "\(found)")
    #expect(found[haiku] == [580, 110, 8], "\(found)")
    let written = try usage(fixture, "--by", "program")
    #expect(written.map(\.tokensWritten) == [12])
    #expect(try !fixture.run(["search", "--json", "has:edit"]).output.contains("Tokens"))
  }

  @Test func `turns of Codex count once, where a session is forked`() throws {
    func line(_ second: Int, _ type: String, _ payload: String) -> String {
      #"{"timestamp":"2026-03-0\#(1 + second / 100)T10:00:\#(10 + second % 50).000Z","type":"\#(type)","payload":\#(payload)}"#
    }
    func meta(_ second: Int, _ id: String, _ more: String = "") -> String {
      let time = "2026-03-0\(1 + second / 100)T10:00:\(10 + second % 50).000Z"
      return line(
        second, "session_meta", #"{"id":"\#(id)",\#(more)"timestamp":"\#(time)","cwd":"/home/ann/tea"}"#)
    }
    func turn(_ second: Int, _ model: String, _ total: [Int]) -> [String] {
      let count = """
        {"type":"token_count","info":{"total_token_usage":{"input_tokens":\(total[0]),\
        "cached_input_tokens":\(total[1]),"output_tokens":\(total[2])}}}
        """
      return [
        line(second, "turn_context", #"{"model":"\#(model)"}"#),
        line(
          second, "response_item",
          #"{"type":"message","role":"user","content":[{"type":"input_text","text":"question \#(second)"}]}"#),
        // It is said twice.
        line(second + 5, "event_msg", count), line(second + 6, "event_msg", count),
      ]
    }
    let (one, two) = ("019cb000-0000-7000-8000-000000000001", "019cb000-0000-7000-8000-000000000002")
    let first =
      [meta(0, one)] + turn(1, "gpt-5", [1_000, 600, 50]) + turn(10, "gpt-5-mini", [1_700, 900, 80])
    // The copies have the time of the fork.
    let copies = first.map {
      $0.replacing(#/"timestamp":"[^"]*","type"/#, with: #""timestamp":"2026-03-02T10:00:10.500Z","type""#)
    }
    let fork =
      [meta(100, two, #""forked_from_id":"\#(one)","#)] + copies + turn(120, "gpt-5", [1_900, 1_000, 95])
    let fixture = try ShellFixture(count: 0)
    let found = try imported(
      [
        ("rollout-2026-03-01T10-00-10-\(one).jsonl", first),
        ("rollout-2026-03-02T10-00-10-\(two).jsonl", fork),
      ],
      into: fixture)
    #expect(found["gpt-5"] == [1_200, 700, 65], "\(found)")
    #expect(found["gpt-5-mini"] == [700, 300, 30], "\(found)")
    let days = try usage(fixture)
    #expect(days.map(\.day) == ["2026-03-01", "2026-03-02"] && days.map(\.tokensSent) == [1_700, 200])
  }
}
