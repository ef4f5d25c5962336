import Foundation

/// A deed as it goes when nothing disturbs it: what rounds are compared with.
struct Rehearsal: Sendable {
  let start: StoreState
  let end: StoreState
  /// The number of calls that can be disturbed, by their letters.
  let callCounts: [Character: Int]
  let eventCount: Int
  /// How long it took, in microseconds.
  let duration: Int
  /// The names on the disk afterwards.
  let names: Set<String>
  /// The folder in which the trace and the disk before the deed lie.
  let folder: String
  /// The numbers of the files as the trace was made.
  let inodes: [String: UInt64]

  /// Carries the deed out in a folder of its own, which stays.
  init(_ deed: TortureCommand, in folder: String, _ tools: Arena.Tools) throws {
    let arena = try Arena(folder, tools, holding: deed.template)
    self.folder = folder
    start = deed.startsUnsound ? StoreState(messages: [], names: []) : try arena.state()
    // To look at a store makes files beside it.
    try arena.reset(to: deed.template)
    inodes = arena.inodes()
    let begun = Date()
    let run = try arena.run(
      deed.arguments(arena), input: deed.input(arena), trace: folder + "/trace")
    duration = Int(Date().timeIntervalSince(begun) * 1e6)
    guard run.status == 0 else {
      throw Violation(demanded: "'\(deed.name)' to succeed when nothing disturbs it", found: run.errors)
    }
    let events = try DiskTrace(file: folder + "/trace").events
    eventCount = events.count
    callCounts = events.reduce(into: [:]) { $0[$1.letter, default: 0] += 1 }
    names = arena.names()
    try arena.demandSound()
    end = try arena.state()
  }

  /// The number of calls of some kinds.
  func count(of calls: FaultyDisk.Calls) -> Int {
    calls.rawValue.reduce(0) { $0 + (callCounts[$1] ?? 0) }
  }
}

extension DiskTrace.Event {
  /// The letter under which the call is counted.
  var letter: Character {
    switch self {
    case .write: "w"
    case .truncate: "t"
    case .sync, .syncFolder: "s"
    case .make: "c"
    case .makeFolder: "d"
    case .rename, .exchange: "r"
    case .link: "l"
    case .unlink, .removeFolder: "u"
    case .say: "a"
    }
  }
}

extension Arena {
  /// The ids of some imported messages.
  var ids: [String] { tools.ids }

  func input(_ name: String) -> String { tools.stock.input(name) }

  /// Puts the disk back to what it was.
  func reset(to template: Stock.Template) throws {
    try FileManager.default.removeItem(atPath: diskFolder)
    try FileManager.default.copyItem(atPath: tools.stock.folder(of: template), toPath: diskFolder)
  }

  /// The names of files on the disk, without what SQLite keeps beside a store.
  func names() -> Set<String> {
    let all = FileManager.default.enumerator(atPath: diskFolder)?.allObjects as? [String] ?? []
    return Set(all.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
  }

  /// The numbers of the files on the disk.
  func inodes() -> [String: UInt64] {
    names().reduce(into: [:]) { inodes, name in
      var facts = stat()
      if stat("\(diskFolder)/\(name)", &facts) == 0 { inodes[name] = UInt64(facts.st_ino) }
    }
  }
}
