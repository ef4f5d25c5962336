internal import ChatSession
internal import Foundation
internal import MessageModel

/// A page of the documentation, which `make install` puts beside the program: `scrollback help formats`.
enum HelpPage {
  /// The folder of the pages: of an installed program below its prefix, of a build in its checkout.
  private static let home: String? = {
    guard let program = Bundle.main.executablePath else { return nil }
    let file = URL(fileURLWithPath: program).resolvingSymlinksInPath()
    if let build = file.path.firstRange(of: "/.build/") { return file.path[..<build.lowerBound] + "/docs" }
    let prefix = file.deletingLastPathComponent().deletingLastPathComponent()
    return prefix.path + "/share/doc/scrollback"
  }()

  /// The names of the pages, without folders below.
  static var names: [String] {
    (home.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? [])
      .filter { $0.hasSuffix(ending) && $0.first?.isLowercase == true }.map {
        String($0.dropLast(ending.count))
      }
      .sorted()
  }

  /// Returns the page that `help formats` or `help docs/formats.md` names; `nil` for other arguments, and for a
  /// name without `docs/` that a command has.
  ///
  /// - Throws: ``UsageError`` if there is no such page.
  static func text(askedBy arguments: [String]) throws(UsageError) -> String? {
    guard arguments.count == 2, arguments[0] == "help", let typed = arguments.last else { return nil }
    let isPath = typed.hasPrefix(folder) || typed.hasSuffix(ending)
    guard isPath || !CommandNames.all.contains(typed) else { return nil }
    let file = typed.hasPrefix(folder) ? typed.dropFirst(folder.count) : typed[...]
    let name = String(file.hasSuffix(ending) ? file.dropLast(ending.count) : file)
    if let text = page(named: name) { return text }
    guard isPath else { return nil }
    let near = Nearest.name(to: name, among: names)
    throw UsageError(
      "no page '\(VisibleText.of(typed, keepsTabs: false))'",
      cause: names.isEmpty
        ? "no pages are installed in \(home ?? "")" : near.map { "did you mean '\($0)'?" },
      remedy: names.isEmpty ? "scrollback --help" : .words("one of: \(names.joined(separator: ", "))"))
  }

  private static let folder = "docs/"
  private static let ending = ".md"

  private static func page(named name: String) -> String? {
    guard name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || "-/".contains($0)) }) else {
      return nil
    }
    return home.flatMap { try? String(contentsOfFile: "\($0)/\(name)\(ending)", encoding: .utf8) }
  }
}
