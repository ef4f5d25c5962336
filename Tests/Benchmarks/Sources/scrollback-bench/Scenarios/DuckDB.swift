import Foundation

/// DuckDB over the rows of a ``PlainDatabase``, in a file of its own: Python's module, in a process that takes queries and says how
/// long each took.
final class DuckDB {
  private let process = Process()
  private let (queries, replies) = (Pipe(), Pipe())

  /// Opens the database of a history, which is made the first time; `nil` where Python or its module is not installed.
  init?(of plain: String) throws {
    guard let python = Program.installed("python3") else { return nil }
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-c", Self.script, plain, plain + ".duckdb", Measurement.clock.rawValue]
    (process.standardInput, process.standardOutput) = (queries, replies)
    try process.run()
    guard line() == "ready" else {
      process.waitUntilExit()
      guard process.terminationStatus == Self.isMissing else {
        throw Program.Failure("DuckDB cannot read the rows of '\(plain)'")
      }
      return nil
    }
  }

  deinit { process.terminate() }

  /// Runs a query, and takes down how long it took to all of its rows.
  func run(_ sql: String, into measurement: inout Measurement) throws {
    try queries.fileHandleForWriting.write(contentsOf: Data("\(sql)\n".utf8))
    let reply = line()
    guard let nanoseconds = Int64(reply) else { throw Program.Failure("DuckDB does not answer '\(sql)'") }
    measurement.add(.nanoseconds(nanoseconds))
  }

  /// Returns the next line that the process prints; what it has printed if it ends.
  private func line() -> String {
    var bytes = Data()
    while bytes.last != UInt8(ascii: "\n") {
      let more = replies.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  private static let isMissing: Int32 = 3

  private static let script = """
    import csv, os, sqlite3, sys, time

    try:
        import duckdb
    except ImportError:
        sys.exit(\(isMissing))
    plain, path, clock = sys.argv[1:]
    if not os.path.exists(path):
        part = path + ".part"
        for name in (part, part + ".csv"):
            if os.path.exists(name):
                os.remove(name)
        with open(part + ".csv", "w", newline="") as file:
            rows = sqlite3.connect(plain).execute("SELECT * FROM message ORDER BY id")
            csv.writer(file, lineterminator="\\n").writerows(rows)
        made = duckdb.connect(part)
        made.execute("CREATE TABLE message(id BIGINT, conversation BIGINT, sender BIGINT, kind INTEGER, link BOOLEAN, text VARCHAR)")
        made.execute(f"COPY message FROM '{part}.csv' (FORMAT csv, HEADER false, PARALLEL false)")
        made.close()
        os.remove(part + ".csv")
        os.rename(part, path)
    history = duckdb.connect(path, read_only=True)
    now = time.process_time_ns if clock == "processor" else time.monotonic_ns
    print("ready", flush=True)
    for query in sys.stdin:
        start = now()
        history.execute(query).fetchall()
        print(now() - start, flush=True)
    """
}
