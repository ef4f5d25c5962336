/// A format of an assistant, with the places where its program keeps sessions.
///
/// These places are the only list: `scrollback assistants` looks there, imports of folders read the hidden
/// files there, and docs/assistants.md lists them.
protocol AssistantFormat: ImportFormat {
  var places: [AssistantPlace] { get }
}

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
  package let program: String
  package let base: Base
  /// The program's own folder in the base; empty if it has none.
  package let own: String
  /// The environment variable that moves the program's own folder.
  package let variable: String?
  /// The folder in the program's own; each `*` stands for any one name.
  package let folder: String
  /// The names of the files with sessions, with one `*` at most.
  package let files: [String]
  /// How many folders below `folder` the files may lie.
  package let depth: Int
  /// Whether to follow only the file instead of the whole folder.
  package let followsFile: Bool
  /// Whether all files of a folder are one session.
  package let isFolderOneSession: Bool

  init(
    _ program: String, _ base: Base, _ own: String, _ folder: String = "", files: String..., depth: Int = 0,
    variable: String? = nil, followsFile: Bool = false, isFolderOneSession: Bool = false
  ) {
    self.program = program
    self.base = base
    self.own = own
    self.variable = variable
    self.folder = folder
    self.files = files
    self.depth = depth
    self.followsFile = followsFile
    self.isFolderOneSession = isFolderOneSession
  }

  var parts: [String] { Self.parts(of: own) + Self.parts(of: folder) }

  var partsOfOwn: [String] { Self.parts(of: folder) }

  private static func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

  var followedFile: [String] { followsFile ? files : [] }

  /// The followed path in the base: `.claude/projects`.
  package var shown: String { (parts + followedFile).joined(separator: "/") }

  /// Whether it is one database with all sessions.
  package var isDatabase: Bool { followsFile && files.allSatisfy { $0.hasSuffix("db") } }

  func holds(_ name: String) -> Bool { files.contains { Self.fits(name, $0) } }

  private static func fits(_ name: String, _ pattern: String) -> Bool {
    guard let star = pattern.firstIndex(of: "*") else { return name == pattern }
    let (start, end) = (pattern[..<star], pattern[pattern.index(after: star)...])
    return name.utf8.count >= start.utf8.count + end.utf8.count && name.hasPrefix(start)
      && name.hasSuffix(end)
  }
}

extension ImportFormats {
  /// The formats of assistants, each with the places of its sessions.
  package static let assistants: [(format: String, title: String, places: [AssistantPlace])] =
    all.compactMap { $0 as? any AssistantFormat }.map { ($0.name, $0.title, $0.places) }

  /// The places in project folders that are read although their names are hidden.
  private static let inProjects = assistants.flatMap(\.places).filter { $0.base == .project }

  static let hiddenFiles = Set(inProjects.filter { $0.shown == $0.files.first }.flatMap(\.files))

  /// Hidden folders of projects with the names of the histories in them: `.crush` with `crush.db`.
  static let hiddenFolders: [String: [String]] = Dictionary(
    inProjects.filter { !$0.own.isEmpty }.map { ($0.own, $0.files) }, uniquingKeysWith: +)
}
