internal import Foundation
internal import MessageModel

/// A place where a program keeps its sessions.
package struct AssistantPlace: Hashable, Sendable {
  /// The folder that a place is relative to.
  package enum Base: Hashable, Sendable, CaseIterable {
    /// A user's home.
    case home
    /// The folder of programs' settings, which differs by system.
    case settings
    /// The folder of programs' data.
    case data
    /// The folder `User` of an editor of the Visual Studio Code family.
    case editor
    /// The root of a machine or a container.
    case root
    /// The folder of a project.
    case project
  }

  /// The program's name to show.
  package private(set) var program = ""
  package let base: Base
  /// The program's own folder in the base; empty if it has none.
  package let own: String
  /// The environment variable that moves the program's own folder.
  package let variable: String?
  /// The folder in the program's own; each `*` stands for any one name.
  package let folder: String
  /// The names of the files with sessions; each `*` stands for any text.
  package let files: [String]
  /// Names among these of files that belong to a session and are none of their own.
  let belonging: [String]
  /// How many folders below `folder` the files may lie.
  package let depth: Int
  /// Whether to follow only the file instead of the whole folder.
  package let followsFile: Bool
  /// Hidden folders below `folder` that have sessions, each with the names to read in it.
  let hidden: [String: [String]]
  /// Whether all files of a folder are one session.
  package let isFolderOneSession: Bool

  init(
    _ base: Base, _ own: String, _ folder: String = "", files: String..., belonging: [String] = [],
    depth: Int = 0, variable: String? = nil, followsFile: Bool = false, hidden: [String: [String]] = [:],
    isFolderOneSession: Bool = false
  ) {
    self.base = base
    self.own = own
    self.variable = variable
    self.folder = folder
    self.files = files
    self.belonging = belonging
    self.depth = depth
    self.followsFile = followsFile
    self.hidden = hidden
    self.isFolderOneSession = isFolderOneSession
  }

  func of(_ program: String) -> AssistantPlace {
    var place = self
    place.program = program
    return place
  }

  var parts: [String] { Self.parts(of: own) + Self.parts(of: folder) }

  var partsOfOwn: [String] { Self.parts(of: folder) }

  private static func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

  var followedFile: [String] { followsFile ? files : [] }

  /// The followed path in the base: `.claude/projects`.
  package var shown: String { (parts + followedFile).joined(separator: "/") }

  /// Whether it is one database with all sessions.
  package var isDatabase: Bool {
    followsFile && files.allSatisfy { name in ["db", ".sqlite", ".sqlite3"].contains { name.hasSuffix($0) } }
  }

  func holds(_ name: String) -> Bool {
    files.contains { Self.fits(name, $0) } && !belonging.contains { Self.fits(name, $0) }
  }

  /// Whether a file may lie in the place, by the end of its path. Where a variable moves the program's own
  /// folder, only the path below that counts.
  func mayHold(_ components: [String]) -> Bool {
    guard let name = components.last, holds(name) else { return false }
    let wanted = variable == nil ? parts : partsOfOwn
    let folders = components.dropLast()
    guard !wanted.isEmpty, folders.count >= wanted.count else { return false }
    return (0...min(depth, folders.count - wanted.count)).contains { below in
      let here = folders.dropLast(below).suffix(wanted.count)
      return zip(here, wanted).allSatisfy { $1 == "*" || $0 == $1 }
    }
  }

  /// Whether a name fits a pattern, in which each `*` stands for any text.
  static func fits(_ name: String, _ pattern: String) -> Bool {
    let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let start = pieces.first, let end = pieces.last, pieces.count > 1 else { return name == pattern }
    guard name.utf8.count >= start.utf8.count + end.utf8.count, name.hasPrefix(start), name.hasSuffix(end)
    else { return false }
    var rest = name.dropFirst(start.count).dropLast(end.count)
    for piece in pieces.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}

extension AssistantPlace {
  /// Claude Cowork's folder, with a folder `local_…` for each task.
  private static let cowork = "local-agent-mode-sessions"

  /// Whether a name in the folders of Claude Cowork is read; `nil` in other folders. A task's sessions lie in
  /// `.claude/projects`, beside files of the user and what the agent made of them.
  static func isRead(_ name: String, inCowork folder: [String]) -> Bool? {
    func isTask(_ folder: String?) -> Bool { folder?.hasPrefix("local_") ?? false }
    switch folder.last {
    case cowork?: return name == "skills-plugin" ? false : nil
    case ".claude"?: return isTask(folder.dropLast().last) ? name == "projects" : nil
    case let task where isTask(task): return name == ".claude" ? true : folder.contains(cowork) ? false : nil
    default: return nil
    }
  }
}

extension ImportFormats {
  private static let places = assistants.flatMap(\.places)
  /// The places in project folders that are read although their names are hidden.
  private static let inProjects = places.filter { $0.base == .project }

  static let hiddenFiles = Set(inProjects.filter { $0.shown == $0.files.first }.flatMap(\.files))

  /// Hidden folders with the names to read in them: `.crush` with `crush.db`.
  static let hiddenFolders: [String: [String]] = Dictionary(
    inProjects.filter { !$0.own.isEmpty }.map { ($0.own, $0.files) } + places.flatMap(\.hidden),
    uniquingKeysWith: +)
}

/// A home folder in which assistants keep sessions.
package struct AssistantHome: Hashable, Sendable {
  package let path: String
  /// The variables that move programs' folders; empty for another user's home.
  private let variables: [String: String]

  /// The caller's own home, whose variables may move programs' folders.
  package init(environment: [String: String]) {
    path = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    variables = environment.filter { !$0.value.isEmpty }
  }

  /// Another user's home, or another system's: of a container (`/proc/4711/root/home/ann`), of Windows under
  /// WSL (`/mnt/c/Users/ann`).
  package init(at path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    variables = [:]
  }

  func folders(of place: AssistantPlace) -> [(base: String, parts: [String])] {
    if let variable = place.variable, let folder = variables[variable] {
      return [(expanded(folder), place.partsOfOwn)]
    }
    return bases(place.base).map { ($0, place.parts) }
  }

  private func bases(_ base: AssistantPlace.Base) -> [String] {
    switch base {
    case .home, .project: [path]
    case .settings: settings
    case .data: [variables["XDG_DATA_HOME"] ?? "\(path)/.local/share"]
    case .editor: editors
    case .root: [root]
    }
  }

  /// The system of another home is unknown, so the folders of all systems are searched.
  private var settings: [String] {
    [variables["XDG_CONFIG_HOME"] ?? "\(path)/.config"]
      + ["Library/Application Support", "AppData/Roaming"].map { "\(path)/\($0)" }
  }

  private var editors: [String] {
    settings.flatMap { folder in Self.editors.map { "\(folder)/\($0)/User" } }
      + Self.remoteEditors.map { "\(path)/\($0)/data/User" }
  }

  /// Editors of the Visual Studio Code family.
  package static let editors = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"]
  private static let remoteEditors = [".vscode-server", ".vscode-server-insiders", ".cursor-server"]

  private func expanded(_ folder: String) -> String {
    folder == "~" || folder.hasPrefix("~/") ? path + folder.dropFirst() : folder
  }

  private var root: String {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "proc", parts[2] == "root" else { return "" }
    return "/proc/\(parts[1])/root"
  }
}

/// An assistant's history at one place, found without reading its files.
package struct AssistantFinding: Hashable, Sendable {
  /// How much of the place is followed.
  package enum Following: String, Hashable, Sendable {
    case no, partly, yes
  }

  package let format: String
  package let program: String
  /// The path to follow in parts; a part `*` stands for several folders.
  package let parts: [String]
  /// The number of sessions, or of databases, whose sessions only their contents tell.
  package internal(set) var count = 0
  package let isDatabase: Bool
  package internal(set) var byteCount: Int64 = 0
  /// The last change, in nanoseconds since 1970.
  package internal(set) var changedAt: Int64 = .min
  /// Whether another place of the program in this home has the same sessions, and says more of them.
  package internal(set) var isRepeated = false
  /// A folder that cannot be read, and why.
  package internal(set) var trouble: String?
  /// The paths to follow, without `*`; ``followedCount`` counts those followed already.
  package internal(set) var places: [String] = []
  var followedCount = 0
  var isPartlyFollowed = false

  init(_ format: String, _ place: AssistantPlace, at parts: [String]) {
    self.format = format
    program = place.program
    self.parts = parts
    isDatabase = place.isDatabase
  }

  /// The path to follow; `*` stands for any one name.
  package var path: String { "/" + parts.joined(separator: "/") }

  package var following: Following {
    if !places.isEmpty, followedCount == places.count { return .yes }
    return followedCount > 0 || isPartlyFollowed ? .partly : .no
  }

  /// The path for a shell, which expands `*`.
  package var shellWord: String {
    parts.reduce("") { word, part in
      word + "/" + (part == "*" || Self.isPlain(part) ? part : ShellWord.quoted(part))
    }
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"):
          true
        default: false
        }
      }
  }
}
