internal import Foundation

enum StoreLocation {
  /// The option, else `$SCROLLBACK_STORE`, else a file in the user's data folder.
  static func path(
    option: String?, environment: [String: String]
  ) -> String {
    if let option { return option }
    if let path = environment["SCROLLBACK_STORE"], !path.isEmpty { return path }
    return defaultPath(environment)
  }

  /// The path of the store where neither an option nor the environment names one, with `~` for the home folder.
  static let shownDefault: String = {
    let names = ["HOME", "XDG_DATA_HOME"]
    let environment = Dictionary(
      uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } })
    let path = defaultPath(environment)
    guard let home = environment["HOME"], path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }()

  private static func defaultPath(_ environment: [String: String]) -> String {
    dataFolder(environment) + "/scrollback/scrollback.db"
  }

  private static func dataFolder(_ environment: [String: String]) -> String {
    let home = environment["HOME"] ?? NSHomeDirectory()
    #if os(macOS)
      return home + "/Library/Application Support"
    #else
      if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder }
      return home + "/.local/share"
    #endif
  }
}
