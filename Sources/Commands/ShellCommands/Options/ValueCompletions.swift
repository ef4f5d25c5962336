internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

enum ValueCompletions {
  static let conversations = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.conversationNames() }
  }

  /// Conversations, and people as `@ann`.
  static let timelines = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.conversationNames() + $0.peopleNames().map { "@" + $0 } }
  }

  static let senders = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.senders().map(\.sender.name) }
  }

  static let people = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.peopleNames() }
  }

  static let savedFilters = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.savedFilters().map(\.name) }
  }

  static let imports = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.imports().map { String($0.id) } }
  }

  static let sources = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.sources().map { String($0.source.id) } }
  }

  static let exportFormats = CompletionKind.list(ExportChoice.names)
  static let importFormats = CompletionKind.list(ImportFormats.names.map(\.name))
  static let kinds = CompletionKind.list(MessageQuery.kinds)
  static let features = CompletionKind.list(MessageQuery.features)
  static let zones = CompletionKind.custom { _, _, _ in TimeZone.knownTimeZoneIdentifiers }

  /// Returns no names if the store cannot be read: completion must stay silent.
  private static func names(
    for words: [String], _ look: (SynchronousMessageStore) throws -> [String]
  ) -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let path = StoreLocation.path(option: store(in: words), environment: environment)
    guard let store = try? SynchronousMessageStore(path: path, options: .readOnly) else { return [] }
    defer { store.close() }
    // Names with line breaks or control characters cannot be typed.
    let names = ((try? look(store)) ?? []).filter {
      VisibleText.of($0, keepsTabs: false) == $0 && !$0.isEmpty
    }
    return environment["SAP_SHELL"] == "bash" ? names.filter(isHarmless) : names
  }

  /// Whether bash takes every character of a name literally. A script printed by an earlier version, kept in
  /// a user's file, has bash evaluate the names.
  private static func isHarmless(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy {
      !$0.isASCII || $0.properties.isAlphabetic || "0123456789_-./:@ ".unicodeScalars.contains($0)
    }
  }

  private static func store(in words: [String]) -> String? {
    if let place = words.lastIndex(where: { ["-s", "--store"].contains($0) }), place + 1 < words.count {
      return path(words[place + 1])
    }
    let joined = words.last { $0.hasPrefix("--store=") }
    return joined.map { path(String($0.dropFirst("--store=".count))) }
  }

  /// Expands a leading tilde or variable.
  private static func path(_ typed: String) -> String {
    guard typed.hasPrefix("$") else { return PathText.expanded(typed) }
    let parts = typed.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].trimmingCharacters(in: CharacterSet(charactersIn: "{}"))
    let value = ProcessInfo.processInfo.environment[name] ?? ""
    return parts.count == 1 ? value : value + "/" + parts[1]
  }
}
