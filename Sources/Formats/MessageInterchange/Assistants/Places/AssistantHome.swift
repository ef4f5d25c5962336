internal import Foundation

/// The home of somebody, in which programs that answer keep sessions.
package struct AssistantHome: Hashable, Sendable {
  /// Its path.
  package let path: String
  /// The variables by which programs are told of other places; none of a home of others.
  private let variables: [String: String]

  /// Takes the home of who asks, whose variables say where programs keep what they keep.
  package init(environment: [String: String]) {
    path = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    variables = environment.filter { !$0.value.isEmpty }
  }

  /// Takes the home of somebody else, or of another system: of a container (`/proc/4711/root/home/ann`), of Windows under WSL
  /// (`/mnt/c/Users/ann`).
  package init(at path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    variables = [:]
  }

  /// Returns the folders in which a place may lie here, and the names of folders to go through from there.
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

  /// Of another home nobody knows the system: all are looked at.
  private var settings: [String] {
    [variables["XDG_CONFIG_HOME"] ?? "\(path)/.config"]
      + ["Library/Application Support", "AppData/Roaming"].map { "\(path)/\($0)" }
  }

  private var editors: [String] {
    settings.flatMap { folder in Self.editors.map { "\(folder)/\($0)/User" } }
      + Self.remoteEditors.map { "\(path)/\($0)/data/User" }
  }

  /// The names of the family of Visual Studio Code.
  package static let editors = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"]
  /// The folders of their parts on machines that are worked on from afar.
  private static let remoteEditors = [".vscode-server", ".vscode-server-insiders", ".cursor-server"]

  /// Returns a path with the home in place of a `~` at its beginning.
  private func expanded(_ folder: String) -> String {
    folder == "~" || folder.hasPrefix("~/") ? path + folder.dropFirst() : folder
  }

  /// The root of the container whose home this is, else of this machine.
  private var root: String {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "proc", parts[2] == "root" else { return "" }
    return "/proc/\(parts[1])/root"
  }
}
