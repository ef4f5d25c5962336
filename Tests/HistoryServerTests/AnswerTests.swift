import Foundation
import HistoryServer
import MessageModel
import MessageStorage
import Testing

/// What the server answers.
@Suite(.waiting) struct AnswerTests {
  /// An address, and the question that it stands for.
  private static let questions: [(address: String, question: String)] = [
    ("conversations", #"{"question":"conversations"}"#),
    (
      "conversations?after=a&limit=1&newest=true",
      #"{"question":"conversations","after":"a","limit":1,"newest":true}"#
    ),
    ("conversation?conversation=general", #"{"question":"conversation","conversation":"general"}"#),
    ("conversation?conversationID=1", #"{"question":"conversation","conversation":1}"#),
    (
      "conversation?conversationID=1&knownAs=general&newest=true",
      #"{"question":"conversation","conversation":1,"newest":true,"knownAs":"general"}"#
    ),
    ("page", #"{"question":"page"}"#),
    (
      "page?conversations=general&at=percent:37.5&limit=3",
      #"{"question":"page","conversations":["general"],"at":{"percent":37.5},"limit":3}"#
    ),
    (
      "page?conversationID=1&at=number:5&older=1&limit=4&order=newestFirst&counts=false&detail=whole&offset=1",
      #"{"question":"page","conversations":[1],"at":{"number":5},"older":1,"limit":4,"order":"newestFirst","counts":false,"detail":"whole","offset":1}"#
    ),
    (
      "page?at=time:2024-05-01T01:00:00Z&limit=2",
      #"{"question":"page","at":{"time":"2024-05-01T01:00:00Z"},"limit":2}"#
    ),
    ("page?at=oldest&limit=2", #"{"question":"page","at":"oldest","limit":2}"#),
    ("page?at=unread&limit=2", #"{"question":"page","at":"unread","limit":2}"#),
    ("page?limit=0", #"{"question":"page","limit":0}"#),
    ("page?limit=1000000000", #"{"question":"page","limit":1000000000}"#),
    (
      "page?filter.senders=alice&filter.senders=bob&filter.kinds=text&filter.textOnly=true&filter.since=2024-05-01T00:30:00Z&filter.until=2024-05-01T01:30:00Z",
      #"{"question":"page","filter":{"senders":["alice","bob"],"kinds":["text"],"textOnly":true,"since":"2024-05-01T00:30:00Z","until":"2024-05-01T01:30:00Z"}}"#
    ),
    (
      "page?filter.matching=message+1%2A&filter.has=link",
      #"{"question":"page","filter":{"matching":"message 1*","has":["link"]}}"#
    ),
    ("page?filter.regex=%5E.%2B7%24", #"{"question":"page","filter":{"regex":"^.+7$"}}"#),
    ("hits?words=message&limit=2&context=1", #"{"question":"hits","words":"message","limit":2,"context":1}"#),
    (
      "hits?regex=1%5B0-9%5D9&at=oldest&detail=whole",
      #"{"question":"hits","regex":"1[0-9]9","at":"oldest","detail":"whole"}"#
    ),
    (
      "senders?conversations=general&limit=1",
      #"{"question":"senders","conversations":["general"],"limit":1}"#
    ),
    (
      "senders?after=%7B%22messages%22:100,%22name%22:%22alice%22%7D",
      #"{"question":"senders","after":{"messages":100,"name":"alice"}}"#
    ),
    (
      "days?conversation=general&by=month&timeZone=Europe/Berlin&limit=1",
      #"{"question":"days","conversation":"general","by":"month","timeZone":"Europe/Berlin","limit":1}"#
    ),
    ("statistics?conversations=general", #"{"question":"statistics","conversations":["general"]}"#),
    ("filters?after=a&limit=1", #"{"question":"filters","after":"a","limit":1}"#),
  ]

  @Test func `what became of a conversation is answered by an old name, and by an id with the name it had`()
    throws
  {
    let fixture = try ServerFixture(count: 3)
    try fixture.shell.add(
      #"{"conversation":"tea","time":"2024-05-01T09:00:00Z","sender":"ann","text":"hello"}"# + "\n")
    func name(_ question: String) throws -> String? {
      let response = try fixture.get("api/conversation?\(question)")
      let answer = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
      return answer?["name"] as? String ?? answer?["kind"] as? String
    }
    try fixture.shell.run(["conversations", "rename", "general", "harbour"])
    #expect(try name("conversation=general") == "harbour")
    #expect(try name("conversationID=1&knownAs=general") == "harbour")
    try fixture.shell.run(["conversations", "merge", "harbour", "tea", "--yes"])
    for question in ["conversation=general", "conversation=harbour", "conversationID=1&knownAs=harbour"] {
      #expect(try name(question) == "tea", "\(question)")
    }
    try fixture.shell.run(["conversations", "delete", "tea", "--yes"])
    for question in ["conversation=tea", "conversationID=2&knownAs=tea"] {
      #expect(try name(question) == "notFound", "\(question)")
    }
  }

  @Test func `questions are answered as the command answers them, byte for byte`() throws {
    let fixture = try ServerFixture()
    for (address, question) in Self.questions {
      let response = try fixture.get("api/\(address)")
      #expect(response.status == 200, "\(address)")
      #expect(response["Content-Type"] == "application/json; charset=utf-8")
      #expect(response.text + "\n" == (try fixture.shell.run(["query", question]).output), "\(address)")
    }
  }

  @Test func `messages are answered by their ids`() throws {
    let fixture = try ServerFixture(count: 5)
    let ids = try fixture.ids()
    let one = try fixture.get("api/message?id=\(ids[2])")
    #expect(
      one.text + "\n"
        == (try fixture.shell.run(["query", #"{"question":"message","id":"\#(ids[2])"}"#]).output))
    let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
    let all = try fixture.get("api/messages?ids=\(ids.map(\.description).joined(separator: ","))")
    #expect(
      all.text + "\n"
        == (try fixture.shell.run(["query", #"{"question":"messages","ids":[\#(list)]}"#]).output))
    for place in ["before", "after", "around"] {
      let page = try fixture.get("api/page?at=\(place):\(ids[2])")
      let question = #"{"question":"page","at":{"\#(place)":"\#(ids[2])"}}"#
      #expect(page.text + "\n" == (try fixture.shell.run(["query", question]).output), "\(place)")
    }
  }

  @Test func `one connection asks again and again, also at once`() throws {
    let fixture = try ServerFixture(count: 3)
    let client = try fixture.client()
    let request = fixture.request(fixture.prefix + "api/page?limit=1")
    client.send(request)
    let first = try client.response()
    client.send(request + request + fixture.request(fixture.prefix, method: "HEAD") + request)
    for _ in 1...2 { #expect(try client.response().body == first.body) }
    let head = try client.response(to: "HEAD")
    #expect(head.status == 200)
    #expect(head["Content-Length"].flatMap { Int($0) } ?? 0 > 0)
    #expect(try client.response().body == first.body)
  }

  @Test func `a connection is closed when the client says so`() throws {
    let fixture = try ServerFixture(count: 1)
    let client = try fixture.client()
    client.send(fixture.request(fixture.prefix, fields: ["Connection: close"]))
    let response = try client.response()
    #expect(response["Connection"] == "close")
    #expect(try client.isClosed())
  }

  // MARK: What makes no sense

  @Test(arguments: [
    ("nowhere", 404, "notFound"), ("../../etc/passwd", 404, "notFound"),
    ("%2e%2e/%2e%2e/etc/passwd", 404, "notFound"),
    ("api/..%2fconversations", 404, "notFound"), ("page.js%00.css", 404, "notFound"),
    ("api/", 404, "notFound"),
    ("api/imports", 404, "notFound"), ("api/page/", 404, "notFound"), ("API/page", 404, "notFound"),
    ("api/page?limit=-1", 400, "invalidRequest"), ("api/page?limit=x", 400, "invalidRequest"),
    ("api/page?limit=99999999999999999999", 400, "invalidRequest"),
    ("api/page?limit=", 400, "invalidRequest"),
    ("api/page?limit=1&limit=2", 400, "invalidRequest"), ("api/page?lmit=1", 400, "invalidRequest"),
    ("api/page?offset=-1", 400, "invalidRequest"), ("api/page?at=nowhere", 400, "invalidRequest"),
    ("api/page?at=before:x", 400, "invalidRequest"), ("api/page?at=percent:nan", 400, "invalidRequest"),
    ("api/page?at=time:someday", 400, "invalidRequest"),
    ("api/page?conversations=%FF", 400, "invalidRequest"),
    ("api/page?conversations=%", 400, "invalidRequest"),
    ("api/page?conversations=a%00b", 400, "invalidRequest"),
    ("api/page?conversations=nobody", 404, "notFound"), ("api/page?conversationID=99", 404, "notFound"),
    ("api/page?filter.senders=nobody", 404, "notFound"), ("api/page?filter.saved=none", 404, "notFound"),
    ("api/page?filter.kinds=shout", 400, "invalidRequest"),
    ("api/page?filter.regex=(", 400, "invalidRequest"),
    ("api/page?filter.matching=%22", 400, "invalidRequest"), ("api/hits", 400, "invalidRequest"),
    ("api/hits?words=a&regex=b", 400, "invalidRequest"), ("api/hits?regex=%5B", 400, "invalidRequest"),
    ("api/hits?words=a&context=-1", 400, "invalidRequest"), ("api/message?id=7", 404, "notFound"),
    ("api/message?id=x", 400, "invalidRequest"), ("api/message", 400, "invalidRequest"),
    ("api/message?platform=slack", 400, "invalidRequest"), ("api/messages", 400, "invalidRequest"),
    ("api/messages?ids=1,x", 400, "invalidRequest"), ("api/conversation", 400, "invalidRequest"),
    ("api/conversation?conversation=a&conversationID=1", 400, "invalidRequest"),
    ("api/senders?after=%7Bbroken", 400, "invalidRequest"),
    ("api/senders?after=%5B1%5D", 400, "invalidRequest"),
    ("api/days?timeZone=Atlantis", 404, "notFound"), ("api/days?by=hour", 400, "invalidRequest"),
    ("api/changes?since=x", 400, "invalidRequest"), ("api/changes?from=1", 400, "invalidRequest"),
    ("attachment/7/0", 404, "notFound"), ("attachment/x/0", 404, "notFound"),
    ("attachment/7/-1", 404, "notFound"),
    ("attachment/7/99999999999999999999", 404, "notFound"), ("attachment/7/0/large", 404, "notFound"),
    ("attachment/7/0/original", 404, "notFound"),
  ])
  func `what makes no sense is told so, and the server stays`(path: String, status: Int, kind: String) throws
  {
    let fixture = try ServerFixture(count: 3)
    let response = try fixture.get(path)
    #expect(response.status == status)
    #expect(ServerFixture.kind(of: response) == kind)
    #expect(response["Cache-Control"] == "no-store")
    #expect(try fixture.get("api/conversations").status == 200)
  }

  @Test(arguments: [
    "hello\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}",
    "GET / HTTP/1.1\r\n: x\r\n\r\n",
  ])
  func `what is no HTTP is told so`(bytes: String) throws {
    let fixture = try ServerFixture(count: 1)
    let client = try fixture.client()
    client.send(bytes)
    let response = try client.response()
    #expect(response.status == 400)
    #expect(ServerFixture.kind(of: response) == "invalidRequest")
    #expect(try client.isClosed())
    #expect(try fixture.get("").status == 200)
  }

  // MARK: Tags

  @Test func `what a client has is not sent again until the store has another version`() throws {
    let fixture = try ServerFixture(count: 3)
    let tag = try #require(try fixture.get("api/page")["ETag"])
    let again = try fixture.get("api/page", fields: ["If-None-Match: \"other\", \(tag)"])
    #expect(again.status == 304)
    #expect(again["ETag"] == tag)
    try fixture.shell.run(["append", "-c", "general", "new"])
    let fresh = try fixture.get("api/page", fields: ["If-None-Match: \(tag)"])
    #expect(fresh.status == 200)
    #expect(fresh["ETag"] != tag)
  }

  @Test func `what other things than messages decide has no tag`() throws {
    let fixture = try ServerFixture(count: 3)
    for address in [
      "conversations?unread=true", "page?at=unread", "senders", "filters", "statistics",
      "page?filter.senders=alice",
    ] {
      let response = try fixture.get("api/\(address)")
      #expect(response.status == 200)
      #expect(response["ETag"] == nil, "\(address)")
      #expect(response["Cache-Control"] == "no-store")
    }
  }

  @Test func `the tags of the page's files are of their contents, whatever the key`() throws {
    let (a, b) = (try ServerFixture(count: 1), try ServerFixture(count: 1))
    let paths = ["", "page.css", "page.js", "more.js", "more.css", "filters.js", "search.js", "icon.svg"]
    let tags = try paths.map { try #require(try a.get($0)["ETag"]) }
    #expect(Set(tags).count == paths.count)
    for (path, tag) in zip(paths, tags) {
      #expect(try b.get(path)["ETag"] == tag)
      #expect(!tag.contains(a.server.key.text.prefix(8)))
    }
  }

  @Test func `the page's files are not sent again to who has them`() throws {
    let fixture = try ServerFixture(count: 1)
    let types = [
      "": "text/html", "page.css": "text/css", "page.js": "text/javascript",
      "more.js": "text/javascript", "more.css": "text/css", "filters.js": "text/javascript",
      "icon.svg": "image/svg+xml",
    ]
    for (path, type) in types {
      let response = try fixture.get(path)
      #expect(response["Content-Type"] == "\(type); charset=utf-8")
      #expect(!response.body.isEmpty)
      let tag = try #require(response["ETag"])
      #expect(try fixture.get(path, fields: ["If-None-Match: \(tag)"]).status == 304)
      // Packed for who takes that, and for nobody else.
      let packed = try fixture.get(path, fields: ["Accept-Encoding: br, gzip;q=1.0"])
      #expect(packed["Content-Encoding"] == "gzip" && packed["Vary"] == "Accept-Encoding")
      #expect(packed.body.starts(with: [0x1F, 0x8B]) && packed.body.count < response.body.count)
      #expect(response["Content-Encoding"] == nil)
      let refused = try fixture.get(path, fields: ["Accept-Encoding: gzip;q=0, br"])
      #expect(refused["Content-Encoding"] == nil && refused.body == response.body)
    }
    let client = try fixture.client()
    client.send(fixture.request(String(fixture.prefix.dropLast())))
    #expect(try client.response()["Location"] == fixture.prefix)
  }

  @Test func `the page names ahead the question that its script begins with`() throws {
    let fixture = try ServerFixture(count: 3)
    let link = try #require(fixture.get("")["Link"])
    let path = try #require(link.firstMatch(of: /^<(api[^>]+)>; rel=preload; as=fetch; crossorigin$/)).1
    #expect(try fixture.get(String(path)).status == 200)
    #expect(try fixture.get("page.js")["Link"] == nil)
  }

  @Test func `a store that takes the place of another is served`() throws {
    let fixture = try ServerFixture(count: 3)
    let before = try fixture.get("api/page")
    let other = fixture.shell.folder.appendingPathComponent("other.jsonl")
    try #"{"conversation":"other","time":"2024-05-01T00:00:00Z","sender":"eve","text":"elsewhere"}"#
      .write(to: other, atomically: true, encoding: .utf8)
    let place = fixture.shell.folder.appendingPathComponent("other.db").path
    try fixture.shell.run(["import", "--quiet", "--store", place, other.path])
    try FileManager.default.removeItem(atPath: fixture.shell.store)
    try FileManager.default.moveItem(atPath: place, toPath: fixture.shell.store)
    let after = try fixture.get("api/page", fields: ["If-None-Match: \(before["ETag"] ?? "")"])
    #expect(after.status == 200)
    #expect(after.text.contains("elsewhere"))
    // A page that shows the one must not take this for its own, nor that there is no such message.
    let stores = [before, after, try fixture.get("api/message?id=7")].map { $0["Scrollback-Store"] }
    #expect(stores[0] != nil && stores[1] != nil && stores[0] != stores[1] && stores[1] == stores[2])
    let client = try fixture.client()
    client.send(fixture.request(fixture.prefix + "api/changes"))
    #expect(try client.response().status == 200)
    #expect(try client.chunk().contains("\"store\":\"\(stores[1] ?? "")\""))
  }

  @Test func `an answer says of which store it is, as its backups do`() throws {
    let fixture = try ServerFixture(count: 3)
    let first = try fixture.get("api/page")["Scrollback-Store"]
    try fixture.shell.run(["append", "-c", "general", "more"])
    #expect(try fixture.get("api/conversations")["Scrollback-Store"] == first)
    let copy = fixture.shell.folder.appendingPathComponent("copy.db").path
    try fixture.shell.run(["backup", copy])
    let server = try HistoryServer(path: copy)
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    client.send(
      fixture.request("/\(server.key.text)/api/page", host: "127.0.0.1:\(server.port)"))
    #expect(try client.response()["Scrollback-Store"] == first)
  }

  @Test func `a search with much around its hits is answered in parts`() throws {
    let fixture = try ServerFixture { $0.foundCount = 50 }
    let response = try fixture.get("api/hits?words=message&limit=100&context=2")
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    #expect((answer["hits"] as? [Any])?.count == 10)
    #expect(answer["next"] != nil)
  }
}

/// Parts of attachments.
@Suite(.waiting) struct RangeTests {
  @Test func `a part of a file is answered, across pieces`() throws {
    let fixture = try ServerFixture(count: 1) { $0.pieceByteCount = 1_000 }
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let id = try fixture.attach(bytes, named: "a.bin")
    let path = "attachment/\(id)/0"
    #expect(try fixture.get(path).body == bytes)
    for (range, part) in [
      ("0-0", 0..<1), ("5-1999", 5..<2_000), ("199990-", 199_990..<200_000), ("-10", 199_990..<200_000),
      ("150-9999999", 150..<200_000), ("-9999999", 0..<200_000),
    ] {
      let response = try fixture.get(path, fields: ["Range: bytes=\(range)"])
      #expect(response.status == 206, "\(range)")
      #expect(response.body == Array(bytes[part]), "\(range)")
      #expect(
        response["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/200000", "\(range)")
    }
    for range in ["200000-", "-0", "99999999999999999999-", "200000-200001"] {
      let response = try fixture.get(path, fields: ["Range: bytes=\(range)"])
      #expect(response.status == 416, "\(range)")
      #expect(response["Content-Range"] == "bytes */200000")
    }
    for range in [
      "bytes=5-1", "bytes=a-b", "bytes=-", "lines=1-2", "bytes=0-1,5-6", "bytes=+1-2", "bytes=--1",
    ] {
      #expect(try fixture.get(path, fields: ["Range: \(range)"]).status == 200, "\(range)")
    }
    let tag = try #require(try fixture.get(path)["ETag"])
    #expect(try fixture.get(path, fields: ["Range: bytes=0-1", "If-Range: \(tag)"]).status == 206)
    #expect(try fixture.get(path, fields: ["Range: bytes=0-1", "If-Range: \"other\""]).status == 200)
    #expect(try fixture.get(path, fields: ["If-None-Match: \(tag)"]).status == 304)
  }

  @Test func `nothing is a file, too`() throws {
    let fixture = try ServerFixture(count: 1)
    let id = try fixture.attach([], named: "empty")
    #expect(try fixture.get("attachment/\(id)/0").body.isEmpty)
    #expect(try fixture.get("attachment/\(id)/0", fields: ["Range: bytes=0-"]).status == 416)
  }
}

/// The stream of changes.
@Suite(.waiting) struct ChangeStreamTests {
  private func stream(_ fixture: ServerFixture, _ address: String = "api/changes", fields: [String] = [])
    throws -> RawClient
  {
    let client = try fixture.client()
    client.send(fixture.request(fixture.prefix + address, fields: fields))
    let response = try client.response()
    #expect(response.status == 200)
    #expect(response["Content-Type"] == "text/event-stream; charset=utf-8")
    return client
  }

  private func event(_ text: String) throws -> (name: String, id: String, data: [String: Any]) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let data = try #require(lines.count > 2 ? lines[2].dropFirst(6) : nil)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    return (String(lines[0].dropFirst(7)), String(lines[1].dropFirst(4)), object)
  }

  @Test func `what comes, is edited and goes is told, and again to who was away`() throws {
    let fixture = try ServerFixture(count: 3)
    let client = try stream(fixture)
    let hello = try event(try client.chunk())
    #expect(hello.name == "hello")
    #expect(hello.data["version"] as? String == hello.id)
    try fixture.shell.run(["append", "-c", "general", "new"])
    let id = try #require(try fixture.ids().last?.description)
    let came = try event(try client.chunk())
    #expect(came.name == "changes")
    #expect(came.data["inserted"] as? [String] == [id])
    #expect(came.data["everything"] as? Bool == false)
    #expect(came.data["conversations"] as? [Int] == [1])
    #expect(try fixture.shell.run(["edit", id, "newer"]).status == 0)
    #expect(try event(try client.chunk()).data["edited"] as? [String] == [id])
    #expect(try fixture.shell.run(["delete", id]).status == 0)
    #expect(try event(try client.chunk()).data["deleted"] as? [String] == [id])

    for again in [
      try stream(fixture, "api/changes?since=\(came.id)"),
      try stream(fixture, fields: ["Last-Event-ID: \(came.id)"]),
    ] {
      // Both in one piece.
      let events = try again.chunk().components(separatedBy: "\n\n")
      #expect(events[0].hasPrefix("event: hello\n"))
      #expect(try event(events[1]).data["deleted"] as? [String] == [id])
    }
  }

  @Test func `a message that was given another place is told as moved`() throws {
    let fixture = try ServerFixture(count: 3)
    let client = try stream(fixture)
    _ = try client.chunk()
    let id = try #require(try fixture.ids().first)
    let store = try SynchronousMessageStore(path: fixture.shell.store)
    defer { store.close() }
    let last = try #require(try fixture.ids().last)
    let now = try store.move(id, to: last.successor)
    let moved = try event(try client.chunk())
    #expect(moved.data["moved"] as? [[String: String]] == [["from": "\(id)", "to": "\(now)"]])
    #expect(moved.data["deleted"] as? [String] == ["\(id)"])
    #expect(moved.data["inserted"] as? [String] == ["\(now)"])
  }

  @Test func `more than is told one by one is everything`() throws {
    let fixture = try ServerFixture(count: 3) { $0.changeCount = 2 }
    let client = try stream(fixture)
    let hello = try event(try client.chunk())
    try fixture.shell.run(["append", "-c", "general"], input: "a\nb\nc\nd\n")
    let again = try stream(fixture, "api/changes?since=\(hello.id)")
    let told = try event(try again.chunk().components(separatedBy: "\n\n")[1])
    #expect(told.data["everything"] as? Bool == true)
    #expect(told.data["inserted"] as? [String] == [])
  }

  @Test func `a version of another store is everything`() throws {
    let (fixture, other) = (try ServerFixture(count: 3), try ServerFixture(count: 3))
    let version = try event(try stream(other).chunk()).id
    let told = try event(
      try stream(fixture, "api/changes?since=\(version)").chunk().components(separatedBy: "\n\n")[1])
    #expect(told.data["everything"] as? Bool == true)
  }

  @Test func `who listens is told now and then that somebody is there`() throws {
    let fixture = try ServerFixture(count: 1) { $0.commentTime = .milliseconds(50) }
    let client = try stream(fixture)
    _ = try client.chunk()
    #expect(try client.chunk() == ": still here\n\n")
    #expect(try client.chunk() == ": still here\n\n")
  }

  @Test func `a server that stops lets go of everybody`() throws {
    let fixture = try ServerFixture(count: 1)
    let client = try stream(fixture)
    _ = try client.chunk()
    fixture.server.stop()
    #expect(try client.isClosed())
  }
}
