import Testing

@testable import MessageInterchange

@Suite struct RecordShapeTests {
  private func shape(_ record: String, hiding names: Set<String> = []) -> String {
    RecordShape(of: Array(record.utf8), hiding: names).text
  }

  @Test func `the shape of JSON is its keys and types, whatever their order and values`() {
    let poll =
      #"{"type":"poll","poll":{"question":"Which day?","options":[{"text":"Monday"},{"text":"Sunday","votes":2}]},"#
    let expected =
      "{id: number, isOpen: boolean, parent: null, poll: {options: [{text: string, votes: number} | {text: string}], "
      + "question: string}, type: string}"
    #expect(shape(poll + #""id":7,"isOpen":true,"parent":null}"#) == expected)
    let other =
      #"{ "parent" : null, "isOpen":false,"id":-1.5e3,"poll":{"options":[{"votes":0,"text":""},{"text":""}],"question":""},"type":""}"#
    #expect(shape(other) == expected)
    #expect(shape("[{\"text\":\"tea\"}]") == "[{text: string}]")
    #expect(shape("{}") == "{}")
  }

  @Test(arguments: [
    (#"{"U024BE7LH":1}"#, "{*: number}"), (#"{"+44 20 7946":"x"}"#, "{*: string}"),
    (#"{"Ann Smith":{"text":"x"}}"#, "{*: {text: string}}"), (#"{"Ann":1}"#, "{*: number}"),
    (#"{"@ann:example.org":1}"#, "{*: number}"), (#"{"ann@example.org":1}"#, "{*: number}"),
    (#"{"👍":["x"]}"#, "{*: [string]}"), (#"{"":1}"#, "{*: number}"), (#"{"5b1c7a10":1}"#, "{*: number}"),
    (#"{"votes":{"dot":1,"cid":2,"eve":3}}"#, "{votes: {*: number}}"),
    (#"{"users":{"u1":{"name":"x"},"u2":{"name":"y"}}}"#, "{users: {*: {name: string}}}"),
    (#"{"ben":1,"Ben":"x","ben_smith":true}"#, "{*: boolean, *: number, *: string}"),
    (#"{"a\u001b[31m":1,"b\n":2}"#, "{*: number}"), ("{\"a\u{1B}[31m\":1}", "{*: number}"),
  ])
  func `a key that may be data is not shown`(record: String, expected: String) {
    #expect(shape(record, hiding: ["ben", "user"]) == expected)
  }

  @Test(arguments: [
    "sender_name", "timestampMs", "Type", "MessageType", "user", "user_id", "sha256", "$date", "_id",
    "created-at",
    "m.relates_to", "org.matrix.msc1767.text", "game",
  ])
  func `a key of a program is shown`(key: String) {
    #expect(shape(#"{"\#(key)":"x","other":1}"#, hiding: ["ben", "user"]).contains("\(key): string"))
  }

  @Test func `of a record that was cut, what is there is shown`() {
    #expect(
      shape(#"{"type":"poll","poll":{"question":"Wh"#) == "{poll: {question: string, …}, type: string, …}")
    #expect(shape(#"{"type":"poll","po"#) == "{type: string, …}")
    #expect(shape(#"[{"a":[1,"#) == "[{a: [number | …], …}]")
  }

  @Test func `a shape is short, however large and deep its record`() {
    let deep = String(repeating: #"{"a":"#, count: 400) + "1" + String(repeating: "}", count: 400)
    #expect(shape(deep).utf8.count < 100 && shape(deep).contains("{…}"))
    #expect(shape(String(repeating: #"{"a":["#, count: 100_000)).utf8.count < 200)
    let wide = (0..<50_000).map { #""k\#($0)":1"# }.joined(separator: ",")
    #expect(shape("{\(wide)}") == "{*: number}")
    let long = (0..<100).map { #"{"key\#(String(repeating: "a", count: $0 % 30))":1}"# }.joined(
      separator: ",")
    #expect(shape("[\(long)]") == "[…]" || shape("[\(long)]").utf8.count <= 1_000)
  }

  @Test(arguments: [
    ("[10:00] <ann> hello there", "[99:99] <a> a a"), ("12.05.24, 10:00 - Ann: hi", "99.99.99, 99:99 - a: a"),
    ("+4915112345678: ❤️", "+9999: ?"), ("\u{1B}[31mann", "?[99a"), ("never,ann,second\n", "a,a,a"),
    ("\n\n  <p class='x'>tea", " <a a='a'>a"), ("", ""), ("日本語 2024年", "a 9999a"),
  ])
  func `other records are shown by the signs at their beginning`(record: String, expected: String) {
    #expect(shape(record) == expected)
  }
}
