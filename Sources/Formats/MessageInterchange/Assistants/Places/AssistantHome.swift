internal import Foundation

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
  /// Their folders on machines used remotely.
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
