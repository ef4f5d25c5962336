/// A format of a program that answers, which says where the program keeps its sessions.
///
/// The places are the only ones that are written down: `scrollback assistants` looks there, hidden files are read for them in
/// folders that are named, and docs/assistants.md lists them.
protocol AssistantFormat: ImportFormat {
  /// The places where its programs keep their sessions.
  var places: [AssistantPlace] { get }
}

/// A place where a program keeps its sessions.
package struct AssistantPlace: Hashable, Sendable {
  /// The folder that a place is relative to.
  package enum Base: Hashable, Sendable, CaseIterable {
    /// The home of somebody.
    case home
    /// The folder of settings of programs, which each platform has elsewhere.
    case settings
    /// The folder of what programs keep.
    case data
    /// The folder `User` of an editor of the family of Visual Studio Code.
    case editor
    /// The root of a machine or a container.
    case root
    /// The folder of a project.
    case project
  }

  /// The name of the program, for people.
  package let program: String
  package let base: Base
  /// The program's own folder there; empty if it has none.
  package let own: String
  /// The variable that names the program's own folder, if it lies elsewhere.
  package let variable: String?
  /// The folder in the program's own; each `*` in it stands for any one name.
  package let folder: String
  /// The names of the files that sessions lie in, with one `*` at most.
  package let files: [String]
  /// So many folders below `folder` they may lie.
  package let depth: Int
  /// Whether the file is followed, and not all of the folder.
  package let followsFile: Bool
  /// Whether all files of one folder are one session.
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

  /// The names of folders to go through in the base, one after the other.
  var parts: [String] { Self.parts(of: own) + Self.parts(of: folder) }

  /// The names of folders to go through in the program's own folder.
  var partsOfOwn: [String] { Self.parts(of: folder) }

  private static func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

  /// The name of the file that is followed, if it is not the folder.
  var followedFile: [String] { followsFile ? files : [] }

  /// The followed path in the base, as the document shows it: `.claude/projects`.
  package var shown: String { (parts + followedFile).joined(separator: "/") }

  /// Whether it is one database with all sessions.
  package var isDatabase: Bool { followsFile && files.allSatisfy { $0.hasSuffix("db") } }

  /// Whether a file of this name holds a session.
  func holds(_ name: String) -> Bool { files.contains { Self.fits(name, $0) } }

  /// Whether a name fits a pattern in which one `*` stands for anything.
  private static func fits(_ name: String, _ pattern: String) -> Bool {
    guard let star = pattern.firstIndex(of: "*") else { return name == pattern }
    let (start, end) = (pattern[..<star], pattern[pattern.index(after: star)...])
    return name.utf8.count >= start.utf8.count + end.utf8.count && name.hasPrefix(start)
      && name.hasSuffix(end)
  }
}

extension ImportFormats {
  /// The formats of programs that answer, each with where those keep their sessions.
  package static let assistants: [(format: String, title: String, places: [AssistantPlace])] =
    all.compactMap { $0 as? any AssistantFormat }.map { ($0.name, $0.title, $0.places) }

  /// The places in folders of projects that are read although their names are hidden.
  private static let inProjects = assistants.flatMap(\.places).filter { $0.base == .project }

  /// The hidden files of projects that are histories: `.aider.chat.history.md`.
  static let hiddenFiles = Set(inProjects.filter { $0.shown == $0.files.first }.flatMap(\.files))

  /// The hidden folders of projects that have histories, each with the names of those: `.crush` with `crush.db`.
  static let hiddenFolders: [String: [String]] = Dictionary(
    inProjects.filter { !$0.own.isEmpty }.map { ($0.own, $0.files) }, uniquingKeysWith: +)
}
