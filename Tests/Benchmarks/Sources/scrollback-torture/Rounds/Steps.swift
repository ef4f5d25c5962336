import Foundation
import GRDB

/// A command of several transactions, killed at each call by which it changes the disk, and all that may be done next.
///
/// Whatever it leaves, the same command, an import of the same files, `check` and a deletion of what is left end right: each
/// message of the files is there once.
struct Steps {
  let arena: Arena
  let deed: TortureCommand
  let rehearsal: Rehearsal

  private var kept: String { arena.folder + "/state" }

  /// Kills it at one call or at each, and at none.
  func run(at number: Int?) throws {
    var states: Set<[String]> = []
    let numbers = number.map { [$0] } ?? Array(1...rehearsal.count(of: .all) + 1)
    for number in numbers {
      try arena.reset(to: deed.template)
      let plan = FaultyDisk.Plan(fault: .before, number: number)
      try arena.run(deed.arguments(arena), plan: plan)
      // What lies beside the store is a part of what is left.
      guard states.insert(try arena.contents() + arena.names().sorted()).inserted else { continue }
      do {
        try goOn()
      } catch let violation as Violation {
        throw Violation(
          demanded: "\(violation.demanded), after a kill at call \(number) of \(numbers.count - 1)",
          found: violation.found)
      }
    }
    arena.measure("\(numbers.count) points, \(states.count) different states")
  }

  /// Does what may be done next, each time with what the kill has left.
  private func goOn() throws {
    try? FileManager.default.removeItem(atPath: kept)
    try FileManager.default.copyItem(atPath: arena.diskFolder, toPath: kept)
    try again { try repeatDeed() }
    try again { try importThenRepeat() }
    for room in Stock.rooms {
      try again {
        guard try arena.run(["conversations", "delete", room, "--yes"]).status == 0 else { return }
        try importAll()
      }
    }
  }

  private func again(_ body: () throws -> Void) throws {
    try FileManager.default.removeItem(atPath: arena.diskFolder)
    try FileManager.default.copyItem(atPath: kept, toPath: arena.diskFolder)
    if !deed.startsUnsound { try arena.demandSound() }
    try body()
  }

  private func repeatDeed() throws {
    let isDone = try !deed.startsUnsound && arena.state() == rehearsal.end
    if !isDone || deed.repetition == .always {
      let run = try arena.run(deed.arguments(arena))
      guard run.status == 0 else {
        throw Violation(demanded: "that it can be done again", found: "\(run.ending)\n\(run.errors)")
      }
    }
    if let difference = try arena.state().difference(from: rehearsal.end) {
      throw Violation(demanded: "the same end as undisturbed", found: difference)
    }
    try importAll()
  }

  /// An import may have carried it to its end: then it says that there is nothing to be done.
  private func importThenRepeat() throws {
    try importAll()
    try arena.run(deed.arguments(arena))
    try importAll()
  }

  /// Imports the files, and demands each of their messages once.
  private func importAll() throws {
    for room in Stock.rooms { try arena.succeed(["import", "--quiet", arena.input("\(room).jsonl")]) }
    try arena.demandSound()
    let counts = try arena.countsOfTexts()
    for (text, count) in Stock.textsOfRooms where counts[text] != count {
      throw Violation(demanded: "\(count) × '\(text)'", found: "\(counts[text] ?? 0)")
    }
    for (text, count) in counts where Stock.textsOfRooms[text] == nil && count > 1 {
      throw Violation(demanded: "'\(text)', written here, at most once", found: "\(count)")
    }
  }
}

extension Arena {
  /// Returns how often each text is there.
  func countsOfTexts() throws -> [String: Int] {
    try withCopy(of: store) { db in
      let rows = try Row.fetchAll(db, sql: "SELECT text, count(*) FROM message GROUP BY text")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
  }

  /// Returns a line for each row of each table but for its times: what two stores have in common that hold the same.
  func contents() throws -> [String] {
    try withCopy(of: store) { db in
      let tables = try String.fetchAll(
        db,
        sql:
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1")
      return try tables.map { table in
        var hasher = Hasher()
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \"\(table)\"")
        while let row = try rows.next() {
          for (column, value) in row where column != "time" { hasher.combine(value) }
        }
        return "\(table) \(hasher.finalize())"
      }
    }
  }
}
