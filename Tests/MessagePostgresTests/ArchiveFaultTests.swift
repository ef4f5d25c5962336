import ArchiveTesting
import Foundation
import HistoryPublishing
import MessageModel
import MessagePostgres
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

@Suite(
  .serialized, .enabled(if: PostgresServer.isThere, "needs a PostgreSQL server: apt-get install postgresql"))
struct ArchiveFaultTests {
  private func filled(_ fixture: ArchiveFixture, count: Int = 3_000) throws -> ArchiveFixture {
    for name in ["one", "two"] {
      let conversation = try fixture.store.makeConversation(named: name)
      _ = try fixture.store.append(
        (0..<count).map { NewMessage("text \($0)", from: "Ann") }, to: conversation.id)
    }
    return fixture
  }

  /// Publishes the rest of 24,000 messages, and expects each of them to be there once.
  private func expectWhole(_ fixture: ArchiveFixture, on server: PostgresServer) throws {
    try fixture.publish()
    #expect(try fixture.wrongCounts() == "")
    #expect(
      try server.sql("SELECT count(*), count(DISTINCT id) FROM message", in: fixture.database)
        == "24000|24000")
    #expect(try fixture.publish().isEmpty)
  }

  @Test func `a server that goes away is an error, and one that comes back is read again`() throws {
    let server = try PostgresServer()
    defer { server.remove() }
    let fixture = try filled(ArchiveFixture(server))
    try fixture.publish()
    let archive = try fixture.archive()
    let before = try archive.read(PageRequest(.everything))
    server.kill()
    let gone = #expect(throws: StoreError.self) { try archive.read(PageRequest(.everything)) }
    #expect(gone?.kind == .inputOutput)
    #expect(throws: StoreError.self) { try fixture.archive() }
    try server.start()
    #expect(try archive.read(PageRequest(.everything)) == before)
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 1))
  func `a server that dies while a store is published loses nothing and doubles nothing`(seed: UInt64) throws
  {
    let server = try PostgresServer()
    defer { server.remove() }
    let fixture = try filled(ArchiveFixture(server), count: 12_000)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2 {
      let address = try server.address(fixture.database)
      let end = Int.random(in: 0..<24_000, using: &generator)
      let error = #expect(throws: StoreError.self) {
        try Publisher(fixture.store, Publisher.Settings(address: address, name: "test")).publish { count in
          if count > end { server.kill() }
          return count <= end + 12_000
        }
      }
      #expect(error?.kind == .inputOutput)
      server.kill()
      try server.start()
    }
    try expectWhole(fixture, on: server)
  }

  @Test func `a database without an archive, one of a newer form, and a role without rights are told apart`()
    throws
  {
    let fixture = try filled(ArchiveFixture(), count: 1)
    let none = #expect(throws: StoreError.self) { try fixture.archive() }
    #expect(none?.kind == .notAStore)
    let noDatabase = #expect(throws: StoreError.self) {
      try PostgresArchive(fixture.server.address("nowhere"))
    }
    #expect(noDatabase?.kind == .noSuchStore)
    try fixture.publish()
    let role = "reader_\(fixture.database)"
    try fixture.server.sql("CREATE ROLE \(role) LOGIN", in: fixture.database)
    let reader = try fixture.server.address(fixture.database, user: role)
    let denied = #expect(throws: StoreError.self) { try PostgresArchive(reader) }
    #expect(denied?.kind == .notPermitted)
    try fixture.server.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)", in: fixture.database)
    #expect(try PostgresArchive(reader).roleMayWrite() == false)
    #expect(try fixture.archive().roleMayWrite())
    let unwritable = #expect(throws: StoreError.self) {
      try Publisher(fixture.store, Publisher.Settings(address: reader, name: "test")).publish()
    }
    #expect(unwritable?.kind == .notPermitted)
    let nobody = #expect(throws: StoreError.self) {
      try PostgresArchive(fixture.server.address(fixture.database, user: "nobodyhere"))
    }
    #expect(nobody?.kind == .notPermitted)
    try fixture.server.sql("UPDATE archive SET form = 2", in: fixture.database)
    let newer = #expect(throws: StoreError.self) { try fixture.archive() }
    #expect(newer?.kind == .notAStore)
    #expect(newer?.cause?.contains("form 2") == true)
  }

  @Test func `a task that is cancelled has the server stop what it reads`() async throws {
    let fixture = try filled(ArchiveFixture(), count: 10)
    try fixture.publish()
    let archive = try fixture.archive()
    let locker = try PostgresConnection(fixture.server.address(fixture.database))
    try locker.run("BEGIN")
    try locker.run("LOCK TABLE message IN ACCESS EXCLUSIVE MODE")
    let task = Task { try await archive.page(PageRequest(.everything)) }
    let waiting =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    while try fixture.server.sql(waiting, in: fixture.database) == "0" {
      try await Task.sleep(for: .milliseconds(10))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try locker.run("ROLLBACK")
    #expect(try await archive.page(PageRequest(.everything)).messages.count == 20)
  }

  @Test func `a statement that takes longer than it may is stopped by the server, and the next is answered`()
    throws
  {
    let fixture = try filled(ArchiveFixture(), count: 10)
    try fixture.publish()
    var options = PostgresOptions()
    options.statementTimeout = .milliseconds(200)
    let archive = try PostgresArchive(fixture.server.address(fixture.database), options: options)
    let locker = try PostgresConnection(fixture.server.address(fixture.database))
    try locker.run("BEGIN")
    try locker.run("LOCK TABLE message IN ACCESS EXCLUSIVE MODE")
    let error = #expect(throws: StoreError.self) { try archive.read(PageRequest(.everything)) }
    #expect(error?.kind == .busy)
    #expect(error?.remedy != nil)
    try locker.run("ROLLBACK")
    #expect(try archive.read(PageRequest(.everything)).messages.count == 20)
  }

  @Test func `what is published is told to those who listen, also after the server was away`() async throws {
    let server = try PostgresServer()
    defer { server.remove() }
    let fixture = try filled(ArchiveFixture(server), count: 1)
    try fixture.publish()
    let archive = try fixture.archive()
    var changes = archive.changes().makeAsyncIterator()
    let conversation = try #require(try fixture.store.conversations().first)
    func arrives(_ text: String) async throws {
      _ = try fixture.store.append([NewMessage(text)], to: conversation.id)
      try fixture.publish()
      while await changes.next() != nil {
        let page = try await archive.page(PageRequest(Selection(conversation.id), fetchLimit: 1))
        if page.messages.first?.text == text { return }
      }
      Issue.record("the stream has ended")
    }
    try await arrives("first")
    server.kill()
    try server.start()
    try await arrives("second")
    archive.close()
    while await changes.next() != nil {}
  }

  @Test func `a filter without an index says where it goes on, and goes on to the end`() throws {
    let fixture = try filled(ArchiveFixture(), count: 2_000)
    try fixture.publish()
    let archive = try fixture.archive(limits: 300)
    let conversation = try #require(try fixture.store.conversations().first)
    let selection = Selection(conversation.id, where: .regex("^text 1?7$"))
    var (request, found, pauses) = (PageRequest(selection, wantsCounts: false), [String](), 0)
    while true {
      let page = try archive.read(request)
      found += page.messages.reversed().map(\.text)
      guard let nextAnchor = page.nextAnchor else { break }
      #expect(page.hasOlder)
      request.anchor = nextAnchor
      pauses += 1
    }
    #expect(found == ["text 17", "text 7"])
    #expect(pauses == 6)
    let counted = try archive.read(PageRequest(selection, fetchLimit: 0)).counts
    #expect(counted?.isExact == false)
  }

  @Test func `a wrong password is an error that names the way out, and shows no password`() throws {
    let server = try PostgresServer()
    defer { server.remove() }
    let fixture = try filled(ArchiveFixture(server), count: 3)
    try fixture.publish()
    let database = fixture.database
    try server.sql(
      """
      CREATE ROLE locked LOGIN PASSWORD 'opensesame'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO locked
      """, in: database)
    try server.requirePassword(of: "locked")
    let file = server.folder.appendingPathComponent("passwords").path
    func archive(_ password: String?) throws -> PostgresArchive {
      let line = password.map { "*:*:*:locked:\($0)\n" } ?? ""
      try line.write(toFile: file, atomically: true, encoding: .utf8)
      chmod(file, 0o600)
      return try PostgresArchive(server.address(database, user: "locked", more: "&passfile=\(file)"))
    }
    for password in ["closedsesame", nil] {
      let error = #expect(throws: StoreError.self) { try archive(password) }
      #expect(error?.kind == .notPermitted)
      #expect(error?.description.contains("PGPASSFILE") == true)
      #expect(error?.description.contains("sesame") == false)
    }
    #expect(try archive("opensesame").read(PageRequest(.everything)).messages.count == 6)
  }

  #if os(Linux)
    @Test func `a disk that is full ends a publication, which goes on when there is room again`() throws {
      let server = try PostgresServer(walSegment: 1)
      defer { server.remove() }
      let fixture = try filled(ArchiveFixture(server), count: 12_000)
      // 128 pages and a half.
      try server.limitFiles(to: 128 * 8_192 + 4_096)
      let error = #expect(throws: StoreError.self) { try fixture.publish() }
      #expect(error?.kind == .noSpace)
      #expect(error?.remedy != nil)
      try server.limitFiles(to: nil)
      try expectWhole(fixture, on: server)
    }
  #endif

  @Test func `clocks that differ change nothing of what is published or read`() throws {
    let fixture = try filled(ArchiveFixture(), count: 3)
    try fixture.publish()
    let conversation = try #require(try fixture.store.conversations().first)
    for moment in ["10 years", "-10 years"] {
      // What the server thinks the time is, as of another clock.
      try fixture.server.sql(
        "UPDATE store SET written_at = now() + interval '\(moment)'", in: fixture.database)
      let time = Timestamp(utc: CivilTime(year: moment.hasPrefix("-") ? 2000 : 2090, month: 1, day: 1))
      _ = try fixture.store.append([NewMessage("at \(moment)", from: "Ann", at: time)], to: conversation.id)
      let archive = try fixture.archive()
      let before = try archive.read(PageRequest(.everything)).version
      #expect(try fixture.publish().inserted == 1)
      #expect(try archive.read(PageRequest(.everything)).version != before)
      #expect(try archive.read(PageRequest(.everything)).messages == fixture.messages)
      #expect(try fixture.publish().isEmpty)
    }
  }

  @Test func `a server that goes away in the middle of a page is an error, at once`() async throws {
    let server = try PostgresServer()
    defer { server.remove() }
    let fixture = try filled(ArchiveFixture(server), count: 10)
    try fixture.publish()
    let archive = try fixture.archive()
    let locker = try PostgresConnection(server.address(fixture.database))
    try locker.run("BEGIN")
    try locker.run("LOCK TABLE message IN ACCESS EXCLUSIVE MODE")
    let task = Task { try await archive.page(PageRequest(.everything)) }
    let waiting =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    while try server.sql(waiting, in: fixture.database) == "0" {
      try await Task.sleep(for: .milliseconds(10))
    }
    server.kill()
    let error = await #expect(throws: StoreError.self) { try await task.value }
    #expect(error?.kind == .inputOutput)
    try server.start()
    #expect(try await archive.page(PageRequest(.everything)).messages.count == 20)
  }

  @Test func `a publisher whose role may do anything is told so, and one who owns the tables is not`() throws
  {
    let fixture = try filled(ArchiveFixture(), count: 1)
    let role = "keeper_\(fixture.database)"
    try fixture.server.sql(
      "CREATE ROLE \(role) LOGIN; GRANT CREATE ON SCHEMA public TO \(role)", in: fixture.database)
    let keeper = try fixture.server.address(fixture.database, user: role)
    let publisher = try Publisher(fixture.store, Publisher.Settings(address: keeper, name: "test"))
    #expect(try publisher.warnings().isEmpty)
    #expect(try publisher.publish().inserted == 2)
    let owner = try fixture.server.address(fixture.database)
    let other = try Publisher(fixture.store, Publisher.Settings(address: owner, name: "other"))
    #expect(try other.warnings().count == 1)
  }
}
