import Foundation
import GRDB
import HistoryServer
import MessageModel
import Testing

/// What keeps a history from everybody but whom it belongs to: each of these fails when its safeguard is taken out.
@Suite(.waiting) struct SafeguardTests {
  private static let paths = [
    "", "page.css", "page.js", "more.js", "icon.svg", "api/conversations", "api/changes", "attachment/1/0",
    "document",
  ]

  @Test(arguments: paths) func `nothing is answered without the key`(path: String) throws {
    let fixture = try ServerFixture(count: 2)
    let key = fixture.server.key.text
    let others = [
      "", "/", "/\(path)", "/x/\(path)", "/\(key.dropLast())/\(path)", "/\(key)x/\(path)",
      "/\(key.lowercased())/\(path)",
    ]
    for other in others {
      let client = try fixture.client()
      client.send(fixture.request(other.isEmpty ? "*" : other))
      let response = try client.response()
      #expect(response.status == 403 || other.isEmpty && response.status == 400, "\(other)")
      #expect(ServerFixture.kind(of: response) != nil, "\(other)")
    }
  }

  @Test func `who opens an address without the key in a browser reads why not, and others are told as JSON`()
    throws
  {
    let fixture = try ServerFixture(count: 1)
    func answer(_ fields: [String]) throws -> RawClient.Response {
      let client = try fixture.client()
      client.send(fixture.request("/<b>/", fields: fields))
      return try client.response()
    }
    let page = try answer(["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"])
    #expect(page.status == 403 && page["Content-Type"] == "text/html; charset=utf-8")
    #expect(page.text.contains("<h1>cannot answer without the key</h1>"))
    #expect(page["Content-Security-Policy"]?.hasSuffix("; sandbox") == true)
    #expect(try ServerFixture.kind(of: answer(["Sec-Fetch-Dest: empty"])) == "notPermitted")
    #expect(try ServerFixture.kind(of: answer([])) == "notPermitted")
  }

  @Test func `each start has a key of its own, which is long and in every link`() throws {
    let (a, b) = (try ServerFixture(count: 1), try ServerFixture(count: 1))
    #expect(a.server.key.text != b.server.key.text)
    #expect(a.server.key.text.count == 32)
    #expect(a.server.url == "http://127.0.0.1:\(a.server.port)/\(a.server.key.text)/")
  }

  @Test func `a key is kept in a file that nobody else can read`() throws {
    let folder = try ServerFixture(count: 1).shell.folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("key").path
    let key = try AccessKey(file: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try AccessKey(file: path).text == key.text)
    chmod(path, 0o644)
    #expect(throws: StoreError.self) { try AccessKey(file: path) }
    chmod(path, 0o600)
    try "short".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(throws: StoreError.self) { try AccessKey(file: path) }
  }

  @Test func `it listens at one address, which leads nowhere but to this computer`() throws {
    let fixture = try ServerFixture(count: 1)
    // Of this computer, too, and answered by whatever listens at all addresses.
    #expect(throws: RawClient.Failure.self) { try RawClient(port: fixture.server.port, host: "127.0.0.2") }
    #expect(try fixture.get("").status == 200)
  }

  @Test(arguments: [
    "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:PORT",
  ])
  func `a name of somebody else that leads here is not answered`(host: String) throws {
    let fixture = try ServerFixture(count: 1)
    let host = host.replacing("PORT", with: "\(fixture.server.port)")
    for path in Self.paths { #expect(try fixture.get(path, host: host).status == 421, "\(path)") }
    #expect(try fixture.get("", host: "localhost:\(fixture.server.port)").status == 200)
  }

  @Test func `one host is named`() throws {
    let fixture = try ServerFixture(count: 1)
    #expect(try fixture.get("", fields: ["Host: evil.example"]).status >= 400)
    let client = try fixture.client()
    client.send("GET \(fixture.prefix) HTTP/1.1\r\n\r\n")
    #expect(try client.response().status >= 400)
  }

  @Test(arguments: [
    "Origin: http://evil.example", "Origin: null", "Origin: https://127.0.0.1:PORT",
    "Origin: http://127.0.0.1:1",
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
  ])
  func `pages of other sites are not answered`(field: String) throws {
    let fixture = try ServerFixture(count: 1)
    let field = field.replacing("PORT", with: "\(fixture.server.port)")
    for path in Self.paths {
      let response = try fixture.get(path, fields: [field])
      #expect(response.status == 403, "\(path)")
      #expect(response["Access-Control-Allow-Origin"] == nil)
    }
    #expect(
      try fixture.get("", fields: ["Origin: http://\(fixture.host)", "Sec-Fetch-Site: same-origin"]).status
        == 200)
  }

  @Test func `a link is followed from elsewhere`() throws {
    let fixture = try ServerFixture(count: 1)
    let fields = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
    #expect(try fixture.get("", fields: fields).status == 200)
    let frame = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]
    #expect(try fixture.get("", fields: frame).status == 403)
  }

  @Test func `every answer keeps the address to itself, its type, its frame and other sites out`() throws {
    let fixture = try ServerFixture(count: 2)
    let id = try fixture.attach(Array("some words".utf8), named: "a.txt")
    let paths = Self.paths + ["nowhere", "api/page?limit=-1", "attachment/\(id)/0"]
    for path in paths {
      let response = try fixture.get(path)
      #expect(response.values("Referrer-Policy") == ["no-referrer"], "\(path)")
      #expect(response.values("X-Content-Type-Options") == ["nosniff"], "\(path)")
      #expect(response.values("Cross-Origin-Resource-Policy") == ["same-origin"], "\(path)")
      #expect(response.values("X-Frame-Options") == ["DENY"], "\(path)")
      #expect(response["Set-Cookie"] == nil && response["Access-Control-Allow-Origin"] == nil, "\(path)")
      let policy = try #require(response["Content-Security-Policy"], "\(path)")
      #expect(policy.hasPrefix("default-src 'none';"), "\(path)")
      #expect(path.isEmpty || policy.hasSuffix("; sandbox"), "\(path)")
    }
  }

  @Test func `the page runs no script but its own file, and loads nothing from elsewhere`() throws {
    let fixture = try ServerFixture(count: 1)
    let policy = try #require(try fixture.get("")["Content-Security-Policy"])
    let rules = policy.split(separator: ";").map { $0.trimmingCharacters(in: [" "]) }
    #expect(rules.first == "default-src 'none'")
    #expect(rules.contains("script-src 'self'"))
    for rule in rules.dropFirst() {
      let sources = rule.split(separator: " ").dropFirst()
      #expect(sources.allSatisfy { ["'self'", "'none'"].contains($0) }, "\(rule)")
    }
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
  func `it only reads`(method: String) throws {
    let fixture = try ServerFixture(count: 2)
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.shell.store))
    let response = try fixture.get("api/conversations", method: method)
    #expect(response.status == 405)
    #expect(response["Allow"] == "GET, HEAD")
    for path in Self.paths { _ = try fixture.get(path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.shell.store)) == before)
  }

  #if os(Linux)
    @Test func `the store is open for reading alone`() throws {
      let fixture = try ServerFixture(count: 2)
      for path in Self.paths where path != "api/changes" { _ = try fixture.get(path) }
      let path = try #require(realpath(fixture.shell.store, nil).map { String(cString: $0) })
      let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
      #expect(!files.isEmpty)
      for file in files {
        let facts = try String(contentsOfFile: "/proc/self/fdinfo/\(file)", encoding: .utf8)
        let flags = try #require(facts.firstMatch(of: /flags:\s*([0-7]+)/).flatMap { Int32($0.1, radix: 8) })
        #expect(flags & O_ACCMODE == O_RDONLY)
      }
    }
  #endif

  // MARK: Attachments

  private static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
  ]

  @Test(arguments: [
    ("<script>alert(1)</script>", "a.html"),
    ("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a.svg"),
    ("<?xml version='1.0'?><a/>", "a.xml"), ("%PDF-1.4", "a.pdf"), ("<html>", "a.png"), ("var a", "a.js"),
  ])
  func `what could run is saved and never shown`(text: String, name: String) throws {
    let fixture = try ServerFixture(count: 1)
    let id = try fixture.attach(Array(text.utf8), named: name)
    let response = try fixture.get("attachment/\(id)/0")
    #expect(response.status == 200)
    #expect(response.text == text)
    let type = try #require(response["Content-Type"])
    let disposition = try #require(response["Content-Disposition"])
    // Words that are shown as words run nowhere, since nobody may take them for something else.
    #expect(
      type == "application/octet-stream" && disposition.hasPrefix("attachment;")
        || type == "text/plain; charset=utf-8")
    #expect(response["X-Content-Type-Options"] == "nosniff")
  }

  @Test func `a picture is shown`() throws {
    let fixture = try ServerFixture(count: 1)
    let id = try fixture.attach(Self.png, named: "tea.png")
    let response = try fixture.get("attachment/\(id)/0")
    #expect(response["Content-Type"] == "image/png")
    #expect(response["Content-Disposition"] == "inline; filename*=UTF-8''tea.png")
    #expect(response.body == Self.png)
  }

  @Test func `the name of a file stays in its field`() throws {
    let fixture = try ServerFixture(count: 1)
    let id = try fixture.attach([1, 2, 3], named: "../a\"b\r\nSet-Cookie: x=1\r\n\u{202E}é.bin")
    let response = try fixture.get("attachment/\(id)/0")
    #expect(response["Set-Cookie"] == nil)
    let disposition = try #require(response["Content-Disposition"])
    #expect(disposition.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    #expect(!disposition.contains("\"") && !disposition.contains("/"))
  }

  // MARK: Clients that are slow, or many

  @Test
  func `a client that stops in the middle of a request is let go`() throws {
    let fixture = try ServerFixture(count: 1) { $0.idleTime = .milliseconds(200) }
    for beginning in ["", "GET /", "GET \(fixture.prefix) HTTP/1.1\r\nHost: \(fixture.host)\r\nX: "] {
      let client = try fixture.client()
      client.send(beginning)
      #expect(try client.isClosed())
    }
  }

  @Test
  func `a client that does not read is let go, and holds no transaction open meanwhile`() throws {
    let fixture = try ServerFixture(count: 1) {
      $0.sendBufferByteCount = 16_384
      $0.writingTime = .seconds(2)
    }
    let id = try fixture.attach([UInt8](repeating: 7, count: 20 << 20), named: "large.bin")
    let client = try fixture.client(roomByteCount: 4_096)
    client.send(fixture.request(fixture.prefix + "attachment/\(id)/0"))
    #expect(try client.response(to: "HEAD").status == 200)
    // The log can be taken in whole only where nobody reads an older state.
    try fixture.shell.run(["append", "-c", "general", "another"])
    let queue = try DatabaseQueue(path: fixture.shell.store)
    let isHeldUp = try queue.writeWithoutTransaction { db in
      try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    #expect(isHeldUp == 0)
    while fixture.server.connectionCount > 0 { usleep(10_000) }
    #expect(try fixture.get("").status == 200)
  }

  @Test(
    arguments: [
      "hits?regex=%5E(a%2Ba%2B)%2B%5Bbc%5D%24",
      // Of what has a word all are counted, one after the other.
      "page?filter.matching=aaa*&filter.regex=%5E(a%2Ba%2B)%2B%5Bbc%5D%24&limit=0",
    ])
  func `a search that nobody waits for any more is stopped, and so is a count`(question: String) throws {
    // Each text takes the expression to the limit of its work: all of them would take long.
    let texts = [String](repeating: String(repeating: "a", count: 300) + "!", count: 20_000)
    let fixture = try ServerFixture(count: 1, texts: texts)
    do {
      let client = try fixture.client()
      client.send(fixture.request(fixture.prefix + "api/\(question)"))
      while fixture.server.searchCount == 0 { usleep(1_000) }
    }
    while fixture.server.searchCount > 0 { usleep(1_000) }
    #expect(try fixture.get("api/hits?words=message").status == 200)
  }

  @Test
  func `who does not read the changes is let go, and the others hear of them`() throws {
    let fixture = try ServerFixture(count: 1) {
      $0.sendBufferByteCount = 4_096
      $0.eventByteCount = 8_192
    }
    let (idle, awake) = (try fixture.client(roomByteCount: 2_048), try fixture.client())
    for client in [idle, awake] { client.send(fixture.request(fixture.prefix + "api/changes")) }
    for client in [idle, awake] {
      #expect(try client.response().status == 200)
      #expect(try client.chunk().hasPrefix("event: hello\n"))
    }
    var round = 0
    while fixture.server.listenerCount == 2, round < 200 {
      round += 1
      let lines = (1...500).map { "\($0)\n" }.joined()
      try fixture.shell.run(["append", "-c", "general"], input: lines)
      var told = 0
      while told < 500 {
        let event = try awake.chunk()
        told +=
          event.split(separator: "\"inserted\":[").last?.prefix { $0 != "]" }.split(separator: ",").count ?? 0
      }
    }
    #expect(fixture.server.listenerCount == 1)
  }

  @Test func `one look at the changes of a commit is for all who hear of them`() throws {
    let fixture = try ServerFixture(count: 1)
    let clients = try (1...8).map { _ in try fixture.client() }
    for client in clients { client.send(fixture.request(fixture.prefix + "api/changes")) }
    for client in clients {
      _ = try client.response()
      _ = try client.chunk()
    }
    for round in 1...3 {
      try fixture.shell.run(["append", "-c", "general", "again"])
      for client in clients { #expect(try client.chunk().hasPrefix("event: changes\n")) }
      #expect(fixture.server.changeReadCount == round)
    }
  }

  @Test func `there are so many clients and no more`() throws {
    let fixture = try ServerFixture(count: 1) { $0.connectionCount = 3 }
    let clients = try (1...3).map { _ in try fixture.client() }
    for client in clients {
      client.send(fixture.request(fixture.prefix))
      #expect(try client.response().status == 200)
    }
    let other = try fixture.client()
    let response = try other.response()
    #expect(response.status == 503)
    #expect(ServerFixture.kind(of: response) == "busy")
    #expect(try other.isClosed())
  }

  @Test func `who only opens connections, or asks without the key, keeps nobody out`() throws {
    let fixture = try ServerFixture(count: 1) { $0.connectionCount = 3 }
    let known = try fixture.client()
    known.send(fixture.request(fixture.prefix))
    #expect(try known.response().status == 200)
    var strangers: [RawClient] = []
    for number in 0..<12 {
      let stranger = try fixture.client()
      if number.isMultiple(of: 2) {
        stranger.send(fixture.request("/x/"))
        #expect(try stranger.response().status == 403)
      }
      strangers.append(stranger)
      #expect(try fixture.get("").status == 200)
      #expect(fixture.server.connectionCount <= 3)
    }
    // The first of them went first, and who has the key stays.
    #expect(try strangers[0].isClosed())
    known.send(fixture.request(fixture.prefix))
    #expect(try known.response().status == 200)
  }

  @Test func `so many hear of changes and no more`() throws {
    let fixture = try ServerFixture(count: 1) { $0.listenerCount = 1 }
    let client = try fixture.client()
    client.send(fixture.request(fixture.prefix + "api/changes"))
    #expect(try client.response().status == 200)
    #expect(try fixture.get("api/changes").status == 503)
    #expect(try fixture.get("api/conversations").status == 200)
  }

  @Test
  func `answers that nobody takes do not fill the memory`() throws {
    let texts = [String](repeating: String(repeating: "long ", count: 800), count: 400)
    let fixture = try ServerFixture(count: 1, texts: texts) {
      $0.sendBufferByteCount = 4_096
      $0.waitingByteCount = 3 << 20
    }
    let idle = try fixture.client(roomByteCount: 2_048)
    idle.send(fixture.request(fixture.prefix + "api/page?limit=1000"))
    #expect(try idle.response(to: "HEAD").status == 200)
    let second = try fixture.get("api/page?limit=1000")
    #expect(second.status == 503)
    #expect(ServerFixture.kind(of: second) == "busy")
  }

  @Test
  func `answers that nobody takes keep no other client from small ones, and who asks on is let go`() throws {
    let texts = [String](repeating: String(repeating: "long ", count: 800), count: 400)
    let fixture = try ServerFixture(count: 1, texts: texts) {
      $0.sendBufferByteCount = 4_096
      ($0.waitingByteCount, $0.connectionCount) = (1 << 20, 16)
    }
    let idle = try fixture.client(roomByteCount: 2_048)
    idle.send(fixture.request(fixture.prefix + "api/page?limit=1000"))
    #expect(try idle.response(to: "HEAD").status == 200)
    for _ in 1...3 { #expect(try fixture.get("api/page?limit=2").status == 200) }
    #expect(try fixture.get("api/page?limit=1000").status == 503)
    idle.send(fixture.request(fixture.prefix + "api/page?limit=2"))
    while fixture.server.connectionCount > 0 { usleep(10_000) }
  }

  @Test
  func `a page does not wait for long ones and documents`() throws {
    let texts = [String](repeating: String(repeating: "long ", count: 800), count: 400)
    let fixture = try ServerFixture(count: 1, texts: texts)
    let greedy = try (1...40).map { _ in try fixture.client() }
    for (index, client) in greedy.enumerated() {
      client.send(fixture.request(fixture.prefix + (index % 2 == 0 ? "api/page?limit=1000" : "document")))
    }
    #expect(try fixture.get("api/page?limit=2").status == 200)
    #expect(fixture.server.exportCount > 0)
  }

  // MARK: Requests that are too large

  @Test(
    arguments: [
      "GET / HTTP/1.1\r\nX: LONG", "GET /LONG HTTP/1.1\r\n", "LONG",
      "GET / HTTP/1.1\r\nLONG: x\r\n",
    ])
  func `10 MB of a head are not read`(head: String) throws {
    let fixture = try ServerFixture(count: 1)
    let client = try fixture.client()
    client.send(head.replacing("LONG", with: String(repeating: "x", count: 10 << 20)))
    let response = try client.response()
    #expect([400, 431].contains(response.status))
    #expect(ServerFixture.kind(of: response) == "invalidRequest")
    #expect(try fixture.get("").status == 200)
  }

  @Test func `many small fields are not read`() throws {
    let fixture = try ServerFixture(count: 1)
    let response = try fixture.get("", fields: [String](repeating: "X: y", count: 200))
    #expect(response.status == 431)
    #expect(ServerFixture.kind(of: response) == "invalidRequest")
  }

  @Test func `a body is not read`() throws {
    let fixture = try ServerFixture(count: 1)
    for field in ["Content-Length: 1000000000", "Transfer-Encoding: chunked"] {
      let response = try fixture.get("api/conversations", fields: [field])
      #expect(response.status == 413)
      #expect(ServerFixture.kind(of: response) == "invalidRequest")
    }
  }
}
