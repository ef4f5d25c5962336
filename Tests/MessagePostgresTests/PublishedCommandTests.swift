import ArchiveTesting
import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import Testing

@Suite(.enabled(if: PostgresServer.isThere, "needs a PostgreSQL server: apt-get install postgresql"))
struct PublishedCommandTests {
  private func published() throws -> (fixture: ShellFixture, address: String, server: PostgresServer) {
    let fixture = try ShellFixture(
      count: 300, texts: ["Öl und\nEssig", "a\tb \u{1B}[31m \\ 'quoted'", "tea"])
    let server = try PostgresServer.shared.get()
    let address = server.text(try server.makeDatabase())
    let answer = try fixture.run(["publish", address])
    #expect(answer.status == 0)
    #expect(answer.errors.contains("published 'store': 303 new"))
    return (fixture, address, server)
  }

  private static let commands = [
    ["tail", "-n", "20"], ["tail", "-n", "5", "--offset", "7", "--newest-first"],
    ["tail", "--json", "--from", "alice"], ["search", "ol"], ["search", "--ids", "tea"],
    ["search", "message from:bob", "--limit", "3", "--offset", "2"], ["search", "--regex", "^message 1.$"],
    ["search", "nothingofthissort"], ["export", "--format", "csv"], ["export", "--json", "--limit", "9"],
    ["export", "--newest-first", "--since", "2024-05-01 02:00"],
    ["stats", "--by", "hour"], ["stats", "--by", "day", "message from:bob"],
    ["stats", "--by", "sender", "tea"],
    ["stats", "--by", "kind", "--json"], ["stats", "-c", "general"],
  ]

  @Test func `a command prints of an archive what it prints of the store`() throws {
    let (fixture, address, _) = try published()
    for command in Self.commands {
      let (local, remote) = (try fixture.run(command), try fixture.run(command + ["--store", address]))
      #expect(remote.output == local.output, "\(command)")
      #expect(remote.errors == local.errors, "\(command)")
      #expect(remote.status == local.status, "\(command)")
    }
  }

  @Test func `links, files, threads and what agents read are of an archive those of the store`() throws {
    let fixture = try ShellFixture(
      count: 3, texts: ["see https://example.org/tea and https://example.org/oil"])
    let store = try SynchronousMessageStore(path: fixture.store)
    let ids = try store.page(PageRequest(.everything)).messages.map(\.id)
    let general = try #require(try store.conversation(named: "general")).id
    let replies = try store.append(
      [
        NewMessage("tea, please", from: "bob", replyTo: .message(ids[0])),
        NewMessage("in a thread: https://example.org/cup", from: "zoe", thread: .message(ids[1])),
      ], to: general)
    _ = try store.append([NewMessage("me too", from: "alice", replyTo: .message(replies[0]))], to: general)
    // Of an archive nothing is unread.
    try store.markRead(general, upTo: .highest)
    store.close()
    let server = try PostgresServer.shared.get()
    let address = server.text(try server.makeDatabase())
    #expect(try fixture.run(["publish", address]).status == 0)
    let calls = [
      ("list_conversations", "{}"), ("list_senders", "{}"), ("search_messages", #"{"words":"tea"}"#),
      ("read_messages", "{}"), ("list_days", "{}"), ("list_shared", #"{"sort":"links"}"#),
      ("list_threads", "{}"),
      ("count_messages", #"{"by":"hour"}"#), ("get_statistics", #"{"conversations":["general"]}"#),
    ].enumerated().map { number, call in
      """
      {"jsonrpc":"2.0","id":\(number),"method":"tools/call","params":{"name":"\(call.0)","arguments":\(call.1)}}
      """
    }
    for (arguments, input) in [
      (["links"], ""), (["links", "-n", "1", "--json"], ""), (["links", "from:zoe"], ""), (["files"], ""),
      (["pictures", "--json"], ""), (["threads"], ""), (["threads", "--json", "-n", "1"], ""),
      (["threads", "--before", "#\(replies[1])"], ""), (["mcp"], calls.joined(separator: "\n") + "\n"),
      (["mcp", "--redact", "secrets"], calls.joined(separator: "\n") + "\n"),
    ] {
      let local = try fixture.run(arguments, input: input)
      let remote = try fixture.run(arguments + ["--store", address], input: input)
      #expect(remote.output == local.output, "\(arguments)")
      #expect(remote.status == local.status, "\(arguments): \(remote.errors)")
    }
    #expect(try fixture.run(["links", "--store", address]).output.contains("example.org/cup"))
    #expect(try fixture.run(["threads", "--json", "--store", address]).output.contains(#""answers":2"#))
  }

  @Test(arguments: [
    ["text"], ["csv"], ["jsonl"], ["markdown"], ["text", "--merge"], ["text", "--newest-first"],
    ["text", "--limit", "310"], ["jsonl", "--offset", "302", "--limit", "3"], ["text", "--from", "zoe"],
    ["text", "-c", "lobby", "-c", "attic"],
  ])
  func `an export of an archive has its conversations in the order in which the store's has them`(
    arguments: [String]
  ) throws {
    let (fixture, address, _) = try published()
    for (room, time) in [
      ("lobby", "2024-05-01 02:00"), ("attic", "2024-05-01 03:00"), ("lobby", "2024-05-01 04:00"),
    ] {
      try fixture.run([
        "append", "-c", room, "--create", "--from", "zoe", "--time", time, "in \(room) at \(time)",
      ])
    }
    try fixture.run(["publish", address])
    let export = ["export", "--format"] + arguments
    let (local, remote) = (try fixture.run(export), try fixture.run(export + ["--store", address]))
    #expect(local.output.contains("in attic") || arguments.contains("--limit"))
    #expect(remote.output == local.output)
    #expect(remote.status == local.status)
  }

  @Test func `show, conversations and stats say of an archive what it has`() throws {
    let (fixture, address, _) = try published()
    let found = try fixture.run(["search", "--ids", "tea"]).output
    let id = try #require(found.split(separator: " ").first.map(String.init))
    let shown = try fixture.run(["show", id, "--store", address])
    #expect(shown.output == (try fixture.run(["show", id])).output)
    #expect(try fixture.run(["show", "#1", "--store", address]).status == 1)
    let listed = try fixture.run(["conversations", "--store", address])
    #expect(listed.output.hasPrefix("general  303  "))
    let counted = try fixture.run(["stats", "--json", "--store", address])
    #expect(counted.output.contains(#""messages":303"#))
    #expect(counted.output.contains(#""senders":2"#))
  }

  @Test func `commands that write, and those that need a file, say what to do instead`() throws {
    let (fixture, address, _) = try published()
    for arguments in [["append", "-c", "general", "text"], ["delete", "#1"], ["compact"]] {
      let answer = try fixture.run(arguments + ["--store", address])
      #expect(answer.status != 0)
      #expect(answer.errors.contains("scrollback publish"), "\(arguments): \(answer.errors)")
    }
    for arguments in [["people"], ["senders"], ["stats", "--pace"], ["stats", "--sizes"]] {
      let answer = try fixture.run(arguments + ["--store", address])
      #expect(answer.status != 0)
      #expect(answer.errors.contains("published archive"), "\(arguments): \(answer.errors)")
    }
  }

  @Test func `an address with a password is refused, and the password is not shown`() throws {
    let (fixture, _, _) = try published()
    for address in [
      "postgres://ann:opensesame@localhost/history", "postgres:///history?password=opensesame",
      "postgres://ann:open%40sesame@@localhost/history", "postgres://ann%3Aopensesame@localhost/history",
      "postgres://ann%253aopensesame@localhost/history", "postgres:///history?pass%77ord=opensesame",
    ] {
      for arguments in [["tail", "--store", address], ["publish", address]] {
        let answer = try fixture.run(arguments)
        #expect(answer.status != 0)
        #expect(!(answer.errors + answer.output).contains("sesame"), "\(answer.errors)")
      }
    }
  }

  @Test func `publish says that nothing is new, and prints the tables for those who make them themselves`()
    throws
  {
    let (fixture, address, server) = try published()
    #expect(try fixture.run(["publish", address]).errors.contains("nothing to publish"))
    let schema = try fixture.run(["publish", "--schema"]).output
    let database = try server.makeDatabase()
    try server.sql(schema, in: database)
    #expect(try fixture.run(["publish", server.text(database)]).status == 0)
    #expect(try server.sql("SELECT count(*) FROM message", in: database) == "303")
  }

  @Test func `publish and tail that follow wait for a server that is away, and go on when it is back`() throws
  {
    let fixture = try ShellFixture(count: 3)
    let server = try PostgresServer()
    defer { server.remove() }
    let database = try server.makeDatabase()
    let publishing = fixture.process(["publish", "--follow", server.text(database)])
    let (published, read) = (Pipe(), Pipe())
    publishing.standardError = published
    try publishing.run()
    defer { publishing.terminate() }
    try published.wait(for: "published 'store': 3 new")
    let reading = fixture.process(["tail", "-f", "--all", "--store", server.text(database)])
    reading.standardOutput = read
    try reading.run()
    defer { reading.terminate() }
    try read.wait(for: "message 3")
    // Of an older time than what was shown last, in another conversation.
    let late = [
      "append", "-c", "other", "--create", "--from", "eve", "--time", "2024-01-01 10:00", "of long ago",
    ]
    #expect(try fixture.run(late).status == 0)
    try read.wait(for: "of long ago")
    server.kill()
    #expect(try fixture.run(["append", "-c", "general", "--from", "eve", "written meanwhile"]).status == 0)
    try published.wait(for: "trying again")
    try server.start()
    try published.wait(for: "published 'store': 1 new")
    try read.wait(for: "written meanwhile")
    #expect(publishing.isRunning && reading.isRunning)
  }
}
