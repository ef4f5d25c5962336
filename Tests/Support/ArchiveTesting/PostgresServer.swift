package import Foundation
package import MessagePostgres
internal import Synchronization

/// A PostgreSQL server of its own in a temporary folder, which listens on a socket there and nowhere else.
///
/// It runs as the user of the tests or, where that is root, whom PostgreSQL refuses, as `nobody`.
package final class PostgresServer: Sendable {
  /// The folder of its data, its log and its socket.
  package let folder: URL
  private let programs: String
  private let running = Mutex<Process?>(nil)

  /// The folder of the programs of an installed server; `nil` if there is none.
  static let programs: String? = {
    var found = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"]
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    found = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(debian)/\($0)/bin" } + found
    return found.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  /// Whether tests that need a server can run; in CI there must be one.
  package static var isThere: Bool {
    if programs != nil { return true }
    if ProcessInfo.processInfo.environment["CI"] != nil {
      fatalError("there is no PostgreSQL server to test with: apt-get install postgresql")
    }
    return false
  }

  /// The reason why tests are left out.
  package static let missing = "needs a PostgreSQL server: apt-get install postgresql"

  /// A server that suites share; each makes databases of its own in it.
  package static let shared: Result<PostgresServer, any Error> = Result { try PostgresServer() }

  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// Makes a server and starts it.
  ///
  /// - Parameter walSegment: The megabytes of a file of its log, where that matters.
  package init(walSegment: Int = 16) throws {
    guard let found = Self.programs else { throw Failure(description: Self.missing) }
    programs = found
    // The name of a socket is short.
    folder = URL(fileURLWithPath: "/tmp/sbpg-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    chmod(folder.path, 0o777)
    try Self.guardFolder(folder.path)
    try run(
      "initdb",
      [
        "-D", data, "-U", "owner", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C",
        "--wal-segsize=\(walSegment)",
      ])
    try start()
  }

  /// Starts a process that outlives this one by a moment: it ends the server, if one runs, and removes the folder. So they go even
  /// if the tests are killed.
  private static func guardFolder(_ path: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      """
      trap '' INT HUP TERM QUIT
      while kill -0 "$1" 2>/dev/null; do
        [ -d "$2" ] || exit 0
        sleep 1
      done
      server=$(head -n 1 "$2/data/postmaster.pid" 2>/dev/null)
      server=${server#-}
      if [ -n "$server" ] && kill -QUIT "$server" 2>/dev/null; then
        turns=0
        while kill -0 "$server" 2>/dev/null && [ "$turns" -lt 20 ]; do
          sleep 0.2
          turns=$((turns + 1))
        done
      fi
      rm -rf "$2"
      """, "guard", "\(getpid())", path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  private var data: String { folder.path + "/data" }

  /// Starts it, also again.
  package func start(options: [String] = []) throws {
    // Not by pg_ctl: a server that lives on would keep what waits for that one waiting.
    let settings = [
      "listen_addresses=", "unix_socket_directories=\(folder.path)", "fsync=off", "max_connections=60",
      "logging_collector=off",
    ]
    let process = try process("postgres", ["-D", data] + (settings + options).flatMap { ["-c", $0] })
    let log = folder.appendingPathComponent("log")
    if !FileManager.default.fileExists(atPath: log.path) {
      _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    }
    let handle = try FileHandle(forWritingTo: log)
    _ = try handle.seekToEnd()
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    running.withLock { $0 = process }
    while process.isRunning {
      if (try? run("pg_isready", ["-q", "-h", folder.path])) != nil { return }
      usleep(20_000)
    }
    throw Failure(description: (try? String(contentsOf: log, encoding: .utf8)) ?? "the server does not start")
  }

  /// Stops the server as a crash does.
  package func kill() {
    guard let process = running.withLock({ $0 }) else { return }
    running.withLock { $0 = nil }
    _ = Foundation.kill(process.processIdentifier, SIGQUIT)
    Self.waitForEnd(of: process)
  }

  /// Has users of a role be asked for its password from now on.
  package func requirePassword(of role: String) throws {
    try sql(
      """
      CREATE TEMP TABLE line (text text);
      INSERT INTO line VALUES ('local all \(role) scram-sha-256'), ('local all all trust');
      COPY line TO '\(data)/pg_hba.conf';
      SELECT pg_reload_conf();
      """, in: "postgres")
  }

  #if os(Linux)
    /// Lets no file of the server become longer than this: as a disk that is full, which needs nobody's rights. Whoever
    /// connects from now on is met by it.
    ///
    /// A limit that is no multiple of a page has the server write a part of one, which it takes for a full disk.
    package func limitFiles(to byteCount: Int?) throws {
      guard let process = running.withLock({ $0 }) else { return }
      let limit = byteCount.map { String($0) } ?? "unlimited"
      let change = try self.process(
        at: "/usr/bin/prlimit", ["--pid=\(process.processIdentifier)", "--fsize=\(limit):"])
      try change.run()
      Self.waitForEnd(of: change)
      guard change.terminationStatus == 0 else {
        throw Failure(description: "cannot limit the server's files")
      }
    }
  #endif

  /// Waits without the run loop of the thread, which others may have.
  private static func waitForEnd(of process: Process) {
    while process.isRunning { usleep(2_000) }
  }

  /// The address of a database.
  package func address(_ database: String, user: String = "owner", more: String = "") throws
    -> PostgresAddress
  {
    try PostgresAddress(text(database, user: user, more: more))
  }

  /// The address of a database, as it is typed.
  package func text(_ database: String, user: String = "owner", more: String = "") -> String {
    "postgres:///\(database)?host=\(folder.path)&user=\(user)\(more)"
  }

  /// Makes a database of its own.
  package func makeDatabase() throws -> String {
    let name = "d" + UUID().uuidString.replacing("-", with: "").lowercased().prefix(12)
    try sql("CREATE DATABASE \(name)", in: "postgres")
    return name
  }

  /// Runs statements by psql, and returns what it prints.
  @discardableResult
  package func sql(_ text: String, in database: String) throws -> String {
    try run(
      "psql", ["-h", folder.path, "-U", "owner", "-d", database, "-v", "ON_ERROR_STOP=1", "-Atqc", text])
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = try process(program, arguments)
    let output = folder.appendingPathComponent("out-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    Self.waitForEnd(of: process)
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    try? FileManager.default.removeItem(at: output)
    guard process.terminationStatus == 0 else { throw Failure(description: "\(program): \(text)") }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func process(_ program: String, _ arguments: [String]) throws -> Process {
    try process(at: "\(programs)/\(program)", arguments)
  }

  /// A process of the user whose server this is.
  private func process(at path: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    if getuid() == 0 {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments = ["--reuid=nobody", "--regid=nogroup", "--clear-groups", path] + arguments
    } else {
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
    }
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Ends the server and removes its folder.
  package func remove() {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }
}
