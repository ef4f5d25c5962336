internal import Foundation
internal import MessageModel

/// Searches the places where assistants keep their sessions.
///
/// It lists folders and reads the attributes of files, opens no file and follows no link within a place.
/// Memory holds one folder per depth, however many files there are.
package struct AssistantSearch {
  /// The findings in the order of the formats.
  package private(set) var findings: [AssistantFinding] = []
  private let sources: FollowedPaths
  private let isCancelled: () -> Bool
  /// The folders searched for a format: two variables may name the same one.
  private var seen: Set<String> = []

  private static let deepestProject = 12

  /// - Parameters:
  ///   - sources: The absolute paths that are followed.
  ///   - isCancelled: Whether to stop.
  package init(followed sources: [String] = [], isCancelled: @escaping () -> Bool = { false }) {
    self.sources = FollowedPaths(sources)
    self.isCancelled = isCancelled
  }

  /// Searches a home, except for projects in it.
  ///
  /// - Complexity: O(files of the places).
  package mutating func look(
    into home: AssistantHome, for entries: [AssistantEntry] = ImportFormats.assistants
  ) {
    let start = findings.count
    for entry in entries {
      let first = findings.count
      for place in entry.places {
        for (base, parts) in home.folders(of: place) { look(at: place, of: entry.format, in: base, parts) }
      }
      let isRepeated =
        entry.repeats && findings[start..<first].contains { $0.program == entry.program && $0.count > 0 }
      for index in first..<findings.count { findings[index].isRepeated = isRepeated }
    }
  }

  /// Searches a folder of projects for hidden histories.
  ///
  /// - Complexity: O(files).
  package mutating func look(intoProjects folder: String) {
    let places = ImportFormats.assistants.flatMap { entry in
      entry.places.filter { $0.base == .project }.map { (entry.format, $0) }
    }
    let root = FolderWalk.absoluteComponents(of: folder)
    guard let listing = FolderListing.opened(at: "/" + root.joined(separator: "/")).listing else { return }
    look(listing, root, Self.deepestProject, for: places)
  }

  private mutating func look(
    _ folder: FolderListing, _ path: [String], _ depth: Int, for places: [(String, AssistantPlace)]
  ) {
    for (format, place) in places {
      var finding = AssistantFinding(format, place, at: path + place.parts + place.files)
      guard let inner = place.own.isEmpty ? folder : folder.folder(place.own) else { continue }
      take(inner, path + place.parts, place, into: &finding)
      guard finding.count > 0, seen.insert(finding.path).inserted else { continue }
      findings.append(finding)
    }
    while let name = folder.next(), !isCancelled() {
      guard depth > 0, !name.hasPrefix("."), let inner = folder.folder(name) else { continue }
      look(inner, path + [name], depth - 1, for: places)
    }
  }

  private mutating func look(at place: AssistantPlace, of format: String, in base: String, _ parts: [String])
  {
    let fixed = parts.prefix { $0 != "*" }
    let folder = ([base] + fixed).joined(separator: "/")
    // The place itself may be a link: its owner may keep the folder elsewhere.
    let (listing, trouble) = FolderListing.opened(at: folder.isEmpty ? "/" : folder)
    let root = FolderWalk.absoluteComponents(of: folder)
    let rest = Array(parts.dropFirst(fixed.count))
    var finding = AssistantFinding(format, place, at: Self.named(folder) + rest + place.followedFile)
    finding.trouble = trouble
    if let listing { descend(listing, root, rest, place, into: &finding) }
    guard finding.count > 0 || finding.trouble != nil else { return }
    let key = ([format] + root + rest + place.files).joined(separator: "/")
    if seen.insert(key).inserted { findings.append(finding) }
  }

  private static func named(_ path: String) -> [String] {
    URL(fileURLWithPath: path).standardizedFileURL.path.split(separator: "/").map(String.init)
  }

  private func descend(
    _ folder: FolderListing, _ path: [String], _ rest: [String], _ place: AssistantPlace,
    into finding: inout AssistantFinding
  ) {
    guard let part = rest.first else { return take(folder, path, place, into: &finding) }
    let others = Array(rest.dropFirst())
    guard part == "*" else {
      if let inner = folder.folder(part) { descend(inner, path + [part], others, place, into: &finding) }
      return
    }
    while let name = folder.next(), !isCancelled() {
      guard !name.hasPrefix("."), let inner = folder.folder(name) else { continue }
      descend(inner, path + [name], others, place, into: &finding)
    }
  }

  private func take(
    _ folder: FolderListing, _ path: [String], _ place: AssistantPlace, into finding: inout AssistantFinding
  ) {
    let before = finding.count
    count(folder, path, place, place.depth, into: &finding)
    guard finding.count > before else { return }
    let followed = path + place.followedFile
    finding.places.append("/" + followed.joined(separator: "/"))
    switch sources.following(of: followed) {
    case .yes: finding.followedCount += 1
    case .partly: finding.isPartlyFollowed = true
    case .no: break
    }
  }

  private func count(
    _ folder: FolderListing, _ path: [String], _ place: AssistantPlace, _ depth: Int,
    into finding: inout AssistantFinding
  ) {
    if place.followsFile { return countFile(folder, place, into: &finding) }
    var hasSession = false
    while let name = folder.next(), !isCancelled() {
      if PathNames.isHidden(name, in: path) { continue }
      if place.holds(name) {
        guard let facts = folder.facts(of: name) else { continue }
        if !(place.isFolderOneSession && hasSession) { finding.count += 1 }
        hasSession = true
        finding.add(facts)
      } else if depth > 0, let inner = folder.folder(name) {
        count(inner, path + [name], place, depth - 1, into: &finding)
      }
    }
    finding.trouble = finding.trouble ?? folder.trouble
  }

  private func countFile(
    _ folder: FolderListing, _ place: AssistantPlace, into finding: inout AssistantFinding
  ) {
    for name in place.followedFile {
      guard let facts = folder.facts(of: name) else { continue }
      finding.count += 1
      finding.add(facts)
      if place.isDatabase, let log = folder.facts(of: name + "-wal") { finding.add(log) }
    }
  }
}

extension AssistantFinding {
  fileprivate mutating func add(_ facts: FolderListing.Facts) {
    byteCount += facts.byteCount
    changedAt = max(changedAt, facts.changedAt)
  }
}

private struct FollowedPaths {
  private let paths: [[String]]

  init(_ paths: [String]) { self.paths = paths.map(FolderWalk.absoluteComponents) }

  func following(of place: [String]) -> AssistantFinding.Following {
    if paths.contains(where: { place.starts(with: $0) }) { return .yes }
    return paths.contains { $0.starts(with: place) } ? .partly : .no
  }
}

/// Lists a folder. Nothing in it is opened through a link, even if one replaces a name meanwhile.
final class FolderListing {
  struct Facts {
    let byteCount: Int64
    let changedAt: Int64
  }

  private let descriptor: Int32
  #if canImport(Glibc)
    private let listing: OpaquePointer
  #else
    private let listing: UnsafeMutablePointer<DIR>
  #endif
  private(set) var trouble: String?

  /// Opens a folder, following a link; gives a reason if it exists but may not be read.
  static func opened(at path: String) -> (listing: FolderListing?, trouble: String?) {
    let descriptor = PathBytes.withBytes(of: path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    let trouble = descriptor < 0 && errno == EACCES ? String(cString: strerror(EACCES)) : nil
    return (FolderListing(descriptor), trouble)
  }

  private init?(_ descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    guard let listing = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.listing = listing
  }

  deinit { closedir(listing) }

  func next() -> String? {
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { PathBytes.text($0) }
      }
      if name != ".", name != ".." { return name }
    }
    return nil
  }

  func folder(_ name: String) -> FolderListing? {
    let inner = PathBytes.withBytes(of: name) {
      openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    if inner < 0, errno == EACCES { trouble = trouble ?? "'\(name)': \(String(cString: strerror(errno)))" }
    return FolderListing(inner)
  }

  func facts(of name: String) -> Facts? {
    var facts = stat()
    guard PathBytes.withBytes(of: name, { fstatat(descriptor, $0, &facts, AT_SYMLINK_NOFOLLOW) }) == 0,
      facts.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Facts(byteCount: Int64(facts.st_size), changedAt: FileFacts.changedAt(facts))
  }
}
