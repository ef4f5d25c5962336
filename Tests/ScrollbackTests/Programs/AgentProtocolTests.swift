import Foundation
import ShellTesting
import TestSupport
import Testing

/// `scrollback mcp`, as an agent's client speaks with it.
@Suite(.serialized) struct AgentProtocolTests {
  /// A client of the real program.
  private final class Client {
    private let fixture: ShellFixture
    private let process: Process
    private let (input, output) = (Pipe(), Pipe())
    private var unread: [UInt8] = []
    private var number = 0
    private(set) var maxLine = 0

    init(_ fixture: ShellFixture, version: String = "2025-06-18") throws {
      self.fixture = fixture
      process = fixture.process(["mcp"])
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      let answer = try request(
        "initialize",
        [
          "protocolVersion": version, "capabilities": [String: Any](),
          "clientInfo": ["name": "t", "version": "1"],
        ])
      initialization = try #require(answer["result"] as? [String: Any])
      try send(["jsonrpc": "2.0", "method": "notifications/initialized"])
    }

    deinit {
      if process.isRunning { process.terminate() }
    }

    private(set) var initialization: [String: Any] = [:]

    func send(_ message: [String: Any]) throws {
      try send(String(decoding: JSONSerialization.data(withJSONObject: message), as: UTF8.self))
    }

    func send(_ line: String) throws {
      try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The next line, which must be a message of the protocol.
    func receive() throws -> [String: Any] {
      while true {
        if let end = unread.firstIndex(of: 0x0A) {
          let line = unread[..<end]
          maxLine = max(maxLine, line.count)
          #expect(line.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
          defer { unread.removeFirst(end + 1) }
          return try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty, "the program has ended")
        unread += more
      }
    }

    func request(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
      number += 1
      try send(["jsonrpc": "2.0", "id": number, "method": method, "params": parameters])
      let answer = try receive()
      #expect(answer["id"] as? Int == number)
      return answer
    }

    /// What a tool answers, and whether it is an error.
    func call(_ tool: String, _ arguments: [String: Any] = [:]) throws -> (
      answer: [String: Any], isError: Bool
    ) {
      let answer = try request("tools/call", ["name": tool, "arguments": arguments])
      let result = try #require(answer["result"] as? [String: Any], "\(answer)")
      let content = try #require((result["content"] as? [[String: Any]])?.first?["text"] as? String)
      let object = try JSONSerialization.jsonObject(with: Data(content.utf8))
      return (try #require(object as? [String: Any]), result["isError"] as? Bool ?? false)
    }

    /// Ends the conversation; how the program ended.
    func end() throws -> Int32 {
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  /// A message that is a list, with the object behind it.
  private static func line(_ value: Any?) -> (
    time: String?, sender: String?, text: String?, rest: [String: Any]
  ) {
    let parts = value as? [Any] ?? []
    func part(_ place: Int) -> String? { parts.indices.contains(place) ? parts[place] as? String : nil }
    return (part(0), part(1), part(2), parts.count > 3 ? parts[3] as? [String: Any] ?? [:] : [:])
  }

  private static func texts(_ value: Any?) -> [String?] { (value as? [Any] ?? []).map { line($0).text } }

  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func `a version of the protocol is answered as asked`(version: String) throws {
    let client = try Client(ShellFixture(count: 3), version: version)
    #expect(client.initialization["protocolVersion"] as? String == version)
    let info = client.initialization["serverInfo"] as? [String: Any]
    #expect(info?["name"] as? String == "scrollback")
    #expect(try client.request("ping")["result"] as? [String: String] == [:])
    #expect(try client.end() == 0)
  }

  @Test func `another version is refused with the list of those that are spoken`() throws {
    let client = try Client(ShellFixture(count: 3))
    let spoken = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    let meta = ["_meta": ["io.modelcontextprotocol/protocolVersion": "2031-01-01"]]
    for (method, parameters, code) in [
      ("initialize", ["protocolVersion": "2026-07-28"], -32_602), ("tools/list", meta, -32_022),
      ("resources/list", meta, -32_022), ("server/discover", meta, -32_022),
    ] as [(String, [String: Any], Int)] {
      let error = try #require(try client.request(method, parameters)["error"] as? [String: Any], "\(method)")
      let versions = try #require(error["data"] as? [String: Any])
      let all = code == -32_602 ? spoken : ["2026-07-28"] + spoken
      #expect(error["code"] as? Int == code && versions["supported"] as? [String] == all)
      #expect(["2026-07-28", "2031-01-01"].contains(versions["requested"] as? String ?? ""))
    }
    let known = ["_meta": ["io.modelcontextprotocol/protocolVersion": "2025-06-18"]]
    #expect(try client.request("tools/list", known)["result"] != nil)
    #expect(try client.end() == 0)
  }

  @Test func `without a handshake each request says its version, and each result that it is complete`() throws
  {
    let client = try Client(ShellFixture(count: 3))
    let meta: [String: Any] = [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": [String: Any](),
      "io.modelcontextprotocol/clientInfo": ["name": "t", "version": "1"],
    ]
    func result(_ method: String, _ more: [String: Any] = [:]) throws -> [String: Any] {
      let answer = try client.request(method, more.merging(["_meta": meta]) { own, _ in own })
      let result = try #require(answer["result"] as? [String: Any], "\(method)")
      #expect(result["resultType"] as? String == "complete", "\(method)")
      let server =
        (result["_meta"] as? [String: Any])?["io.modelcontextprotocol/serverInfo"] as? [String: Any]
      #expect(server?["name"] as? String == "scrollback" && server?["version"] is String)
      let isCall = method == "tools/call"
      #expect(result["ttlMs"] as? Int == (isCall ? nil : 0))
      #expect(result["cacheScope"] as? String == (isCall ? nil : "private"))
      return result
    }
    let discovered = try result("server/discover")
    #expect((discovered["supportedVersions"] as? [String])?.first == "2026-07-28")
    #expect((discovered["capabilities"] as? [String: Any])?.keys.sorted() == ["resources", "tools"])
    #expect(discovered["instructions"] is String)
    #expect(try result("tools/list")["tools"] is [Any])
    #expect(try result("resources/list")["resources"] is [Any])
    #expect(try result("resources/templates/list")["resourceTemplates"] is [Any])
    let asked = ["name": "answer_question", "arguments": ["words": "which messages"]] as [String: Any]
    #expect(try result("tools/call", asked)["content"] is [Any])
    let gone = try client.request("resources/read", ["uri": "scrollback://no", "_meta": meta])
    #expect((gone["error"] as? [String: Any])?["code"] as? Int == -32_602)
    for method in ["tools/list", "server/discover"] {
      let bare = ["_meta": ["io.modelcontextprotocol/protocolVersion": "2026-07-28"]]
      #expect((try client.request(method, bare)["error"] as? [String: Any])?["code"] as? Int == -32_602)
    }
    #expect(try client.end() == 0)
  }

  @Test func `several messages in one are answered one by one in the version that has them`() throws {
    let client = try Client(ShellFixture(count: 3), version: "2025-03-26")
    try client.send(
      #"[{"jsonrpc":"2.0","id":70,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":71,"method":"resources/list"}]"#
    )
    let ids = try (0..<2).map { _ in try client.receive()["id"] as? Int }
    #expect(ids == [70, 71])
    try client.send("[]")
    #expect(try client.receive()["error"] != nil)
    #expect(try client.end() == 0)
  }

  @Test func `tools take the keys of the questions in the documentation`() throws {
    let client = try Client(ShellFixture(count: 3))
    let result = try #require(try client.request("tools/list")["result"] as? [String: Any])
    let tools = try #require(result["tools"] as? [[String: Any]])
    let questions = [
      "list_conversations": "conversations", "list_senders": "senders",
      "list_people": "people", "search_messages": "hits", "answer_question": "best",
      "read_messages": "page", "list_days": "days", "count_messages": "groups",
      "list_shared": "shared", "list_threads": "threads",
      "list_sessions": "sessions", "read_anniversaries": "anniversaries",
      "find_file_changes": "fileChanges", "find_failures": "failures", "add_up_usage": "usage",
      "get_statistics": "statistics",
    ]
    let page = try GoldenFile.jsonPages()
    for (name, question) in questions {
      let tool = try #require(tools.first { $0["name"] as? String == name })
      let schema = try #require(tool["inputSchema"] as? [String: Any])
      let keys = try #require(schema["properties"] as? [String: Any]).keys
      // How texts look, and which threads stand on a page, is for those who draw them.
      let asked = Self.keys(of: "### Question `\(question)`", in: page).subtracting(["marks", "begunBy"])
      // How much is answered at once is a matter of the tool.
      #expect(Set(keys).subtracting(["bytes", "skip"]) == asked, "\(name)")
      let required = (tool["outputSchema"] as? [String: Any])?["required"] as? [String]
      #expect(
        name == "get_statistics" ? required == nil : required?.first == "answer" && required?.count == 2)
      if let filter = (schema["properties"] as? [String: Any])?["filter"] as? [String: Any] {
        guard let inner = (filter["properties"] as? [String: Any])?.keys else {
          #expect(filter["description"] as? String == "As in search_messages.")
          continue
        }
        #expect(
          name == "search_messages" && Set(inner) == Self.keys(of: "### Object `restriction`", in: page))
      }
      #expect((tool["annotations"] as? [String: Bool])?["readOnlyHint"] == true)
    }
    // A message and an attachment are read by tools of their own.
    #expect(tools.count == questions.count + 2)
  }

  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func `the list of tools is small, and says the form of values in versions that have them`(
    version: String
  ) throws {
    let client = try Client(ShellFixture(count: 3), version: version)
    let result = try #require(try client.request("tools/list")["result"] as? [String: Any])
    #expect(client.maxLine <= 18 << 10, "\(client.maxLine)")
    let tools = try #require(result["tools"] as? [[String: Any]])
    #expect(tools.contains { $0["outputSchema"] != nil } == (version >= "2025-06-18"))
    // What is said once is said by another tool that is there, under the same key.
    for tool in tools {
      let properties =
        (tool["inputSchema"] as? [String: Any])?["properties"] as? [String: [String: Any]] ?? [:]
      for (key, property) in properties {
        guard let words = property["description"] as? String, words.hasPrefix("As in ") else { continue }
        let other = tools.first { words == "As in \($0["name"] as? String ?? "")." }
        let whole =
          ((other?["inputSchema"] as? [String: Any])?["properties"] as? [String: [String: Any]])?[key]
        #expect((whole?["description"] as? String)?.hasPrefix("As in ") == false, "\(words) \(key)")
      }
    }
  }

  /// The keys in the table below a heading.
  private static func keys(of heading: String, in page: String) -> Set<String> {
    guard let start = page.range(of: heading + "\n") else { return [] }
    let lines = page[start.upperBound...].split(separator: "\n").drop { !$0.hasPrefix("| `") }
    return Set(lines.prefix { $0.hasPrefix("| `") }.map { String($0.split(separator: "`")[1]) })
  }

  @Test func `an answer that takes two searches and a page is found`() throws {
    let fixture = try ShellFixture(
      count: 300,
      texts: [
        "the parcel goes to the harbour", "who has the key of the shed?", "it hangs behind the blue door",
      ])
    let client = try Client(fixture)
    let parcel = try client.call("search_messages", ["words": "parcel"]).answer
    #expect(parcel["total"] as? Int == 1 && parcel["exact"] as? Bool == true)
    #expect(parcel["numbers"] as? [Int] == [301])
    let key = try client.call("search_messages", ["words": "key shed", "context": 0]).answer
    let hit = try #require((key["hits"] as? [[String: Any]])?.first)
    let around = try client.call(
      "read_messages",
      [
        "conversations": ["general"], "at": ["around": try #require(Self.line(hit["hit"]).rest["id"])],
        "limit": 3,
      ]
    ).answer
    #expect(Self.texts(around["messages"]).last == "it hangs behind the blue door")
    #expect(around["firstNumber"] as? Int == 301 && around["total"] as? Int == 303)
    // What an answer says of going on leads on.
    let more = try #require((around["more"] as? [[String: Any]])?.first)
    #expect(more["direction"] as? String == "older")
    var arguments = try #require(more["arguments"] as? [String: Any])
    arguments["limit"] = 2
    let older = try client.call("read_messages", arguments).answer
    #expect(Self.texts(older["messages"]) == ["message 299", "message 300"])
  }

  @Test func `what is wrong is told, and the server stays`() throws {
    let client = try Client(ShellFixture(count: 3))
    for (line, code) in [
      ("{broken", -32_700), ("[]", -32_600), ("7", -32_600), (#"{"id":1,"method":"ping"}"#, -32_600),
      (#"{"jsonrpc":"2.0","id":1,"method":"no"}"#, -32_601),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32_602),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no"}}"#, -32_602),
      (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#, -32_002),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"scrollback://message/1"}}"#,
        -32_002
      ),
      (String(repeating: "[", count: 100_000), -32_700), (String(repeating: "x", count: 2_000_000), -32_600),
    ] {
      try client.send(line)
      let error = try #require(try client.receive()["error"] as? [String: Any], "\(line.prefix(80))")
      #expect(error["code"] as? Int == code, "\(line.prefix(80))")
    }
    let calls: [(String, [String: Any], String)] = [
      ("read_messages", ["limit": -1], "a limit is negative"),
      ("read_messages", ["at": ["around": "x"]], "'at.around': 'x' is not the id of a message"),
      ("read_messages", ["att": "newest"], "'att' is not a key of read_messages"),
      ("read_messages", ["filter": ["sender": "bob"]], "'sender' is not a key of filter"),
      ("read_messages", ["conversations": "general"], "'conversations': it is of another type"),
      ("read_message", [:], "no 'id' is there"), ("search_messages", ["words": "a", "regex": "b"], ""),
      ("search_messages", ["regex": "("], ""), ("read_message", ["id": "1"], ""),
    ]
    for (tool, arguments, cause) in calls {
      let (answer, isError) = try client.call(tool, arguments)
      #expect(isError && answer["answer"] as? String == "error", "\(answer)")
      #expect(cause.isEmpty || answer["cause"] as? String == cause, "\(answer)")
    }
    let (all, isError) = try client.call("read_messages", ["limit": 1_000_000_000])
    #expect(!isError && (all["messages"] as? [Any])?.count == 3)
    #expect(try client.end() == 0)
  }

  @Test func `how many hits there are is an estimate where they are many, and all are come to`() throws {
    let client = try Client(ShellFixture(count: 20_000, texts: ["the parcel"]))
    var arguments: [String: Any] = ["words": "message", "context": 0, "limit": 3]
    let many = try client.call("search_messages", arguments).answer
    #expect(many["exact"] as? Bool == false)
    #expect((19_000...21_000).contains(try #require(many["total"] as? Int)))
    #expect(many["numbers"] as? [Int] == [20_000, 19_999, 19_998])
    let more = try #require((many["more"] as? [[String: Any]])?.first?["arguments"] as? [String: Any])
    arguments.merge(more) { $1 }
    let next = try client.call("search_messages", arguments).answer
    #expect(next["numbers"] as? [Int] == [19_997, 19_996, 19_995])
    let few = try client.call("search_messages", ["words": "parcel"]).answer
    #expect(few["exact"] as? Bool == true && few["total"] as? Int == 1)
    #expect(try client.end() == 0)
  }

  @Test func `a request that was cancelled is not answered`() throws {
    let fixture = try ShellFixture(count: 20_000)
    let client = try Client(fixture)
    for id in 901...903 {
      try client.send([
        "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": ["name": "search_messages", "arguments": ["regex": "^(x+x+)+y$"]],
      ])
    }
    try client.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 902]])
    // Pings do not wait for what is being searched.
    try client.send(["jsonrpc": "2.0", "id": 904, "method": "ping"])
    let order = try (0..<3).map { _ in try client.receive()["id"] as? Int }
    #expect(Set(order) == [901, 903, 904])
    #expect(try client.end() == 0)
  }

  @Test func `answers are bounded, and what is longer comes in parts`() throws {
    let long = String(repeating: "pears \u{1B}[31m\"]}\\ 🍐 ", count: 60_000)
    let fixture = try ShellFixture(
      count: 2_000, texts: [long] + (0..<80).map { "\($0) " + long.prefix(4_000) })
    let client = try Client(fixture)
    let page = try client.call("read_messages", ["limit": 1_000, "detail": "whole", "bytes": 60_000]).answer
    #expect((page["messages"] as? [Any])?.isEmpty == false && page["more"] != nil)
    let first = try client.call("read_messages", ["at": ["number": 2_001], "limit": 1, "detail": "whole"])
      .answer
    #expect(first["shortened"] as? Bool == true)
    let message = try #require((first["messages"] as? [[String: Any]])?.first)
    #expect(message["textBytes"] as? Int == long.utf8.count)
    let hits = try client.call("search_messages", ["words": "pears", "limit": 50, "context": 20]).answer
    #expect((hits["hits"] as? [Any])?.isEmpty == false && hits["total"] as? Int == 81)
    var text = ""
    var arguments: [String: Any] = ["id": try #require(message["id"])]
    while true {
      let part = try client.call("read_message", arguments).answer
      text += try #require(part["text"] as? String)
      guard let more = (part["more"] as? [[String: Any]])?.first?["arguments"] as? [String: Any] else {
        break
      }
      arguments.merge(more) { $1 }
    }
    #expect(text == long)
    #expect(client.maxLine <= 66_000)
  }

  @Test func `resources are read by their addresses`() throws {
    let client = try Client(ShellFixture(count: 3))
    let list = try #require(try client.request("resources/list")["result"] as? [String: Any])
    let uri = try #require((list["resources"] as? [[String: Any]])?.first?["uri"] as? String)
    let read = try #require(try client.request("resources/read", ["uri": uri])["result"] as? [String: Any])
    let text = try #require((read["contents"] as? [[String: Any]])?.first?["text"] as? String)
    let page = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Self.texts(page["messages"]) == ["message 1", "message 2", "message 3"])
    let templates = try client.request("resources/templates/list")["result"] as? [String: Any]
    #expect((templates?["resourceTemplates"] as? [Any])?.count == 2)
  }

  @Test func `it writes nothing, and reads the store that has taken the place of another`() throws {
    let (fixture, other) = (try ShellFixture(count: 3), try ShellFixture(count: 5))
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.store))
    let client = try Client(fixture)
    #expect(try client.call("read_messages").answer["total"] as? Int == 3)
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.store)) == before)
    let backup = fixture.folder.appending(path: "b.db").path
    #expect(try other.run(["backup", backup]).status == 0)
    #expect(rename(backup, fixture.store) == 0)
    #expect(try client.call("read_messages").answer["total"] as? Int == 5)
    #expect(try fixture.run(["append", "-c", "general", "--from", "me"], input: "new\n").status == 0)
    #expect(try client.call("read_messages").answer["total"] as? Int == 6)
  }
}
