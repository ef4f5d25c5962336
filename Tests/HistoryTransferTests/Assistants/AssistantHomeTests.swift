import Foundation
import HistoryTransfer
import MessageModel
import MessageStorage
import TestSupport
import Testing

@testable import MessageInterchange

/// A home in which each program of the table has a session.
@Suite struct AssistantHomeTests {
  /// A file in its place in the home.
  fileprivate struct Placed {
    let entry: AssistantEntry
    let sample: AssistantSample
    let path: String
  }

  /// The sample that fits an entry, and the place that takes it.
  private static func place(_ entry: AssistantEntry, unlike used: Set<String>, in home: URL) -> Placed? {
    let samples = AssistantSample.all.filter { $0.format == entry.format }
    for isNew in [true, false] {
      for place in entry.places where place.base != .root {
        let fitting = samples.filter { sample in
          used.contains(sample.testDescription) != isNew
            && (sample.nature == .database) == (entry.kind == .database)
        }
        // A database may have another name in the home of another program.
        let other = isNew ? nil : fitting.first { _ in place.isDatabase }
        guard let sample = fitting.first(where: { place.holds($0.name) }) ?? other else { continue }
        let name = place.holds(sample.name) ? sample.name : place.files[0]
        let folders = ([base(of: place)] + place.parts.map { $0 == "*" ? "tea" : $0 }).filter { !$0.isEmpty }
        let path = folders + sample.folders.suffix(place.depth) + [name]
        return Placed(
          entry: entry, sample: sample, path: home.appending(path: path.joined(separator: "/")).path)
      }
    }
    return nil
  }

  private static func base(of place: AssistantPlace) -> String {
    switch place.base {
    case .home, .root: ""
    case .project: "src"
    case .settings: ".config"
    case .data: ".local/share"
    case .editor: ".config/Code/User"
    }
  }

  /// Those that have places. Lists of prompts have tests of their own.
  private static let entries = ImportFormats.assistants.filter { entry in
    !entry.places.allSatisfy { $0.files == ["history.jsonl"] }
  }

  /// Fills a home with a session of each program.
  private static func fill(_ home: URL) throws -> [Placed] {
    var used: Set<String> = []
    return try entries.map { entry in
      let placed = try #require(place(entry, unlike: used, in: home), "\(entry.program) has no sample")
      used.insert(placed.sample.testDescription)
      try write(placed.sample.bytes(), to: placed.path)
      return placed
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  private static func found(in home: URL) -> [AssistantFinding] {
    var search = AssistantSearch()
    search.look(into: AssistantHome(at: home.path))
    search.look(intoProjects: home.appending(path: "src").path)
    return search.findings
  }

  @Test func `a home with a session of each program is found, imported and understood`() throws {
    let followed = try Followed(following: [])
    let files = try Self.fill(followed.folder)
    let findings = Self.found(in: followed.folder)
    #expect(Set(findings.map(\.program)) == Set(Self.entries.map(\.program)))
    for file in files {
      let real = FoundFile(at: file.path).realPath
      let finding = findings.first { finding in
        finding.places.contains { real == $0 || real.hasPrefix($0 + "/") }
      }
      #expect(finding?.program == file.entry.program, "\(file.path)")
      #expect(try ReadHistory(file.path).formats == [file.entry.format], "\(file.path)")
    }
  }

  @Test
  func `a followed home whose files are rewritten, cut, rotated and deleted has what one import of it gives`()
    throws
  {
    let followed = try Followed(following: [])
    let files = try Self.fill(followed.folder)
    let places = Self.found(in: followed.folder).flatMap(\.places)
    let store = try ImportedStore()
    for place in places { try store.take(place) }
    let whole = try store.said().filter { !$0.key.hasSuffix("/usage") }
    #expect(whole.count > files.count)

    // Each has the first half of its lines at first; the others are as they are.
    for file in files { try Self.write(file.half(), to: file.path) }
    try followed.follow(places)
    try followed.settle(for: 20)
    for change in [Self.rewrite, Self.cut, Self.rotate] {
      for file in files { try change(file) }
      try followed.settle(for: 20)
      for file in files { try Self.write(file.sample.bytes(), to: file.path) }
      try followed.settle(for: 20)
      try Self.expect(followed.store, whole)
    }
    for file in files { try FileManager.default.removeItem(atPath: file.path) }
    try followed.settle(for: 20)
    try Self.expect(followed.store, whole)
    let restarted = try followed.restarted()
    try Self.expect(restarted.store, whole)
  }

  private static func expect(
    _ store: SynchronousMessageStore, _ whole: [String: ReadHistory.Said],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // What a question has used is a message once the next question comes.
    let said = try ImportedStore.said(in: store).filter { !$0.key.hasSuffix("/usage") }
    let (missing, others) = (whole.filter { said[$0.key] != $0.value }, said.filter { whole[$0.key] == nil })
    for (id, wanted) in missing {
      Issue.record(
        "\(id): \(wanted), not \(said[id].map { "\($0)" } ?? "there")", sourceLocation: sourceLocation)
    }
    #expect(others.isEmpty, sourceLocation: sourceLocation)
  }

  /// The program writes the file under another name, which takes its place.
  private static func rewrite(_ file: Placed) throws {
    try Data(file.sample.bytes()).write(to: URL(filePath: file.path), options: .atomic)
  }

  private static func cut(_ file: Placed) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: file.path))
    try handle.truncate(atOffset: UInt64(file.half().count / 2))
    try handle.close()
  }

  /// The program begins the file again, and keeps the former one beside it.
  private static func rotate(_ file: Placed) throws {
    let former = file.path + ".1"
    try? FileManager.default.removeItem(atPath: former)
    try FileManager.default.moveItem(atPath: file.path, toPath: former)
    try write(file.half(), to: file.path)
  }
}

extension AssistantHomeTests.Placed {
  /// The first half of the lines; all of what is not in lines.
  fileprivate func half() throws -> [UInt8] {
    let bytes = try sample.bytes()
    guard sample.nature == .rows else { return bytes }
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    return ends.count > 1 ? Array(bytes[...ends[ends.count / 2 - (ends.count > 2 ? 0 : 1)]]) : bytes
  }
}

extension AssistantSample {
  fileprivate var parts: [String] { path.split(separator: "/").map(String.init) }
  fileprivate var name: String { parts.last ?? path }
  fileprivate var folders: [String] { parts.dropLast() }
}
