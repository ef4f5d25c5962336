import Foundation
import MessageInterchange
import MessageModel
import Testing

/// JSON that no format of its own is made for.
@Suite struct LooseJSONTests {
  @Test(arguments: [
    #"[{"ts":1714557600,"user":{"name":"ann"},"body":"one"},{"ts":"2024-05-01T10:00:01Z","user":"ben","body":"two"}]"#,
    #"{"room":"tea","messages":[{"date":"2024-05-01 10:00:00","from":"ann","text":"one"},"#
      + #"{"date":"2024-05-01 10:00:01","from":"ben","text":"two"}],"count":2}"#,
  ])
  func `a document with a list of messages is read`(file: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(file.utf8), to: folder + "/tea.json")
      let picture = try ImportPicture([folder])
      #expect(picture.files.map(\.format) == ["json"])
      #expect(
        picture.messages.map(\.text) == [
          "2024-5-1 10:0:0 second tea text <ann> |one|", "2024-5-1 10:0:1 second tea text <ben> |two|",
        ])
    }
  }

  @Test func `keys of other names are mapped by the user, and what has no time is skipped with its place`()
    throws
  {
    try Fixture.withFolder { folder in
      try Fixture.write(
        Array(#"[{"wann":"2024-05-01 10:00","wer":"ann","was":"one"},{"was":"never"}]"#.utf8),
        to: folder + "/tea.json")
      let options = ImportOptions(
        format: "json", timeZone: .gmt, columns: ["time": "wann", "sender": "wer", "text": "was"])
      let picture = try ImportPicture([folder], options)
      #expect(picture.messages.map(\.body) == ["one"])
      #expect(picture.skipped.map(\.reason) == ["it has no time"])
      #expect(picture.skipped.map(\.offset) == [53])
    }
  }

  @Test
  func `lines with the keys of an export and ids of another program are read, and so are their replies`()
    throws
  {
    let lines = [
      #"{"id":"u1","conversation":"tea","time":"2024-05-01T10:00:00Z","sender":"ann","text":"one"}"#,
      #"{"id":"u2","conversation":"tea","time":"2024-05-01T10:00:01Z","text":"two","replyTo":"u1"}"#,
      #"{"id":"u3","conversation":"tea","time":"2024-05-01T10:00:02Z","text":"three","reply_to":{"id":"u2"}}"#,
      #"{"id":"u4","conversation":"tea","time":"2024-05-01T10:00:03Z","text":"four","replyTo":null}"#,
    ]
    try Fixture.withFolder { folder in
      try Fixture.write(Array(lines.joined(separator: "\n").utf8), to: folder + "/tea.jsonl")
      let picture = try ImportPicture([folder], ImportOptions(timeZone: .gmt))
      #expect(picture.files.map(\.format) == ["json-lines"])
      #expect(picture.messages.map(\.body) == ["one", "two", "three", "four"])
      #expect(
        picture.messages.map(\.details?.replyTo) == [nil, .external("u1"), .external("u2"), nil])
    }
  }

  @Test func `a text that lies in an object is found, and an id is never a text`() throws {
    let lines = [
      (
        #"{"id":"m1","role":"assistant","content":[{"type":"text","text":"Sure."},{"type":"text","text":"So."}]}"#,
        "assistant: Sure.\nSo."
      ),
      (#"{"role":"user","content":"Thanks"}"#, "user: Thanks"),
      (#"{"id":"m2","author":{"id":"u7"},"body":"by an id"}"#, "u7: by an id"),
      (#"{"text":["pieces ",{"type":"bold","text":"of"}," one"]}"#, "-: pieces of one"),
      (#"{"content":{"body":"deep"}}"#, "-: deep"),
      (#""plain""#, "-: plain"),
      (#"{"id":"m3","content":[{"type":"tool_use","id":"t1","name":"read","input":{}}]}"#, nil),
      (#"{"id":"m4","name":"no text"}"#, nil), (#"{"id":"m5"}"#, nil), ("[]", nil), ("{}", nil),
      (#"[{"id":"m6"}]"#, nil),
    ]
    try Fixture.withFolder { folder in
      let log = lines.map { #"{"timestamp":"2025-06-14T10:00:30Z","message":\#($0.0)}"# }
      let document = "[" + log.joined(separator: ",") + "]"
      try Fixture.write(Array(log.joined(separator: "\n").utf8), to: folder + "/lines.jsonl")
      try Fixture.write(Array(document.utf8), to: folder + "/document.json")
      for file in ["lines.jsonl", "document.json"] {
        let picture = try ImportPicture(["\(folder)/\(file)"])
        #expect(picture.messages.map { "\($0.sender ?? "-"): \($0.body)" } == lines.compactMap(\.1))
        #expect(picture.skipped.map(\.reason) == lines.filter { $0.1 == nil }.map { _ in "it has no text" })
      }
    }
  }

  @Test func `lists of messages within a message are messages, in the order of the file`() throws {
    let file = #"""
      {"title":"Knots","messages":[{"messageId":"m1","text":"which knot?","sender":"User","createdAt":"2024-05-01T10:00:00Z",
      "files":[{"name":"a.png"}],"edits":[{"text":"which not?","createdAt":"2024-05-01T09:59:59Z"}],
      "children":[{"messageId":"m2","parentMessageId":"m1","text":"A bowline.","sender":"GPT","createdAt":"2024-05-01T10:00:09Z",
      "children":[{"messageId":"m3","parentMessageId":"m2","text":"thanks","sender":"User","createdAt":"2024-05-01T10:01:00Z","children":[]}]},
      {"messageId":"m4","parentMessageId":"m1","sender":"GPT","createdAt":"2024-05-01T10:00:12Z","text":"A hitch."},
      {"messageId":"m5","sender":"GPT","createdAt":"never","text":"?"}]}]}
      """#
    try Fixture.withFolder { folder in
      try Fixture.write(Array(file.utf8), to: folder + "/Knots.json")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == ["which knot?", "A bowline.", "thanks", "A hitch."])
      #expect(
        picture.messages.map(\.details?.replyTo) == [nil, .external("m1"), .external("m2"), .external("m1")])
      #expect(picture.skipped.map(\.reason) == ["its time 'never' is not understood: use --time-format"])
    }
  }

  @Test(arguments: [
    (
      #"{"ts":"2024-05-01T10:00:00Z","msg":"one","u":{"_id":"7","username":"ann"}}"#, "the sender",
      "sender=u.username"
    ),
    (#"{"ts":"2024-05-01T10:00:00Z","msg":"one","speaker":"ann"}"#, "the sender", "sender=speaker"),
    (#"{"posted":"2024-05-01T10:00:00Z","msg":"one","user":"ann"}"#, "the time", "time=posted"),
    (#"{"at":{"$date":1714557600000},"msg":"one","user":"ann"}"#, "the time", "time=at.$date"),
    (#"{"ts":"2024-05-01T10:00:00Z","comment":"one","user":"ann"}"#, "the text", "text=comment"),
    (
      #"{"posted":"2024-05-01T10:00:00Z","msg":"one","speaker":"ann"}"#, "the time and the sender",
      "time=posted,sender=speaker"
    ),
  ])
  func `JSON that is half understood is refused with the map that reads it`(
    record: String, missing: String, map: String
  )
    throws
  {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("\(record)\n\(record)\n".utf8), to: folder + "/lines.jsonl")
      try Fixture.write(Array("[\(record)]".utf8), to: folder + "/document.json")
      for file in ["lines.jsonl", "document.json"] {
        let refused = try ImportPicture(["\(folder)/\(file)"])
        #expect(
          refused.skipped.map(\.reason) == [
            "no key is known to hold \(missing) of its messages (--map \(map) reads it)"
          ])
        let pairs = map.split(separator: ",").map { $0.split(separator: "=").map(String.init) }
        let columns = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        let read = try ImportPicture(["\(folder)/\(file)"], ImportOptions(timeZone: .gmt, columns: columns))
        #expect(read.messages.first?.sender == "ann" && read.messages.first?.body == "one")
        #expect(read.messages.first?.time == Timestamp(millisecondsSince1970: 1_714_557_600_000))
      }
    }
  }

  @Test func `JSON without senders is read where no key could hold them, or the map says so`() throws {
    try Fixture.withFolder { folder in
      let notes = #"{"ts":1714557600,"text":"one","tags":["a"],"file":{"name":"a.png"}}"#
      try Fixture.write(Array("\(notes)\n\(notes)\n".utf8), to: folder + "/notes.jsonl")
      #expect(try ImportPicture([folder]).messages.map(\.sender) == [nil, nil])
      let owned = #"{"ts":1714557600,"text":"one","owner":"ann"}"#
      try Fixture.write(Array("\(owned)\n\(owned)\n".utf8), to: folder + "/notes.jsonl")
      #expect(try ImportPicture([folder]).messages.isEmpty)
      let options = ImportOptions(timeZone: .gmt, columns: ["sender": "nobody"])
      #expect(try ImportPicture([folder], options).messages.map(\.sender) == [nil, nil])
    }
  }

  @Test func `a sender beside the message counts more than one inside of it`() throws {
    try Fixture.withFolder { folder in
      let line =
        #"{"ts":1714557600,"user":{"name":"Ann","id":3},"message":{"role":"user","content":"hi"}}"#
      try Fixture.write(Array(line.utf8), to: folder + "/a.jsonl")
      #expect(try ImportPicture([folder]).messages.map(\.sender) == ["Ann"])
    }
  }

  @Test func `a map to something that messages do not have is refused at once`() throws {
    let error = #expect(throws: InterchangeError.self) {
      try ImportReader([], options: ImportOptions(columns: ["mood": "x"]))
    }
    #expect(error?.kind == .invalidOption)
  }

  @Test func `events of Matrix are read from lines, too`() throws {
    let lines = [
      #"{"type":"m.room.message","event_id":"$1","room_id":"!r:x","sender":"@ann:x","origin_server_ts":1714557600000,"#
        + #""content":{"msgtype":"m.text","body":"tae"}}"#,
      #"{"type":"m.room.message","event_id":"$2","room_id":"!r:x","sender":"@ann:x","origin_server_ts":1714557601000,"#
        + #""content":{"msgtype":"m.text","body":"* tea","m.new_content":{"body":"tea"},"#
        + #""m.relates_to":{"rel_type":"m.replace","event_id":"$1"}}}"#,
      #"{"type":"m.room.message","event_id":"$3","sender":"@ann:x","content":{}}"#,
    ]
    try Fixture.withFolder { folder in
      try Fixture.write(Array(lines.joined(separator: "\n").utf8), to: folder + "/room.jsonl")
      let picture = try ImportPicture([folder])
      #expect(picture.files.map(\.format) == ["matrix"])
      #expect(picture.messages.map(\.body) == ["tea"])
      #expect(picture.messages.first?.details?.edits.map(\.text) == ["tae"])
      #expect(picture.skipped.map(\.line) == [3])
    }
  }
}
