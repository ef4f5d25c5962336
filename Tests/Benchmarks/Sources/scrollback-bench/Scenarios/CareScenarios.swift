import Foundation

/// The care of a store: a checked copy, a rewritten file, and what can be read of one that is damaged.
struct CareScenarios {
  let setting: Setting

  func run() throws -> [Finding] {
    [try backup()] + (setting.isSpared(from: 1_000_000) ? [] : [try compact(), try salvage()])
  }

  private func backup() throws -> Finding {
    let store = try setting.store()
    return try compare("backup", with: "sqlite3 .backup, integrity_check") {
      Program(setting.scrollback, "backup", "--quiet", "--store", store, setting.noStore(named: Self.copy))
    } shell: { shell in
      let copy = setting.noStore(named: Self.copy)
      return Program(shell, store, ".backup '\(copy)'", ".open '\(copy)'", "PRAGMA integrity_check")
    }
  }

  private func compact() throws -> Finding {
    try compare("compact", with: "sqlite3 VACUUM") {
      Program(setting.scrollback, "compact", "--quiet", "--store", try setting.copyOfStore(named: Self.copy))
    } shell: {
      Program($0, try setting.copyOfStore(named: Self.copy), "VACUUM")
    }
  }

  /// The store is sound: no page is skipped.
  private func salvage() throws -> Finding {
    let store = try setting.store()
    return try compare("salvage of a sound store") {
      Program(
        setting.scrollback, "salvage", "--quiet", store, "--output", setting.noStore(named: Self.copy))
    }
  }

  /// The name of the file that each of them writes.
  private static let copy = "care"

  /// Runs a command and the shell of SQLite in turns, each with a file of its own.
  private func compare(
    _ name: String, with baseline: String? = nil, _ ours: () throws -> Program,
    shell: (String) throws -> Program = { Program($0) }
  ) throws -> Finding {
    let installed = baseline == nil ? nil : Program.installed("sqlite3")
    var (own, their) = (Measurement(), Measurement())
    for _ in 0..<setting.depth.times(setting.size >= 1_000_000 || setting.isSpared(from: 100_000) ? 1 : 5) {
      if let installed { try shell(installed).run(into: &their) }
      try ours().run(into: &own)
    }
    StoreFiles.remove(setting.path("\(Self.copy)-\(setting.size).db"))
    if let baseline, installed == nil { print(toStandardError: "\(name): \(baseline) is not installed") }
    return Finding(name: name, ours: own, baseline: installed.flatMap { _ in baseline }.map { ($0, their) })
  }
}
