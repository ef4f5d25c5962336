internal import Foundation
internal import MessageModel
internal import TerminalText

extension ReplContext {
  /// The names of all settings.
  static let settingNames = [
    "history", "inline", "me", "pictures", "plain", "scroll-bar", "theme", "time-zone", "top-date",
  ]

  /// Takes over what was set in an earlier run. What is not understood any more is left out.
  package mutating func restore(_ settings: [String: String]) {
    for (name, value) in settings where Self.settingNames.contains(name) { try? change(name, to: value) }
  }

  /// Shows or changes settings, and returns what to say of it.
  mutating func set(_ name: String?, to value: String?) throws(UsageError) -> [String] {
    if let name, !Self.settingNames.contains(name) {
      let near = Nearest.name(to: name, among: Self.settingNames)
      throw UsageError(
        "there is no setting '\(SafeText.oneLine(name).cut(columns: 40))'",
        remedy: near.map { "/set \($0)" } ?? "/set")
    }
    if name == "pictures", drawer == nil, value.flatMap({ CommandArguments.toggle($0[...]) }) == true {
      throw UsageError(
        "no pictures can be drawn here",
        cause: "this is no window, or it was built without the libraries for them",
        remedy: "make prepare build")
    }
    if let name, let value { try change(name, to: value) }
    let values = [
      ("history", keepsHistory ? "on" : "off"), ("inline", displayMode == .inline ? "on" : "off"), ("me", me),
      ("pictures", showsPictures ? "on" : "off"), ("plain", displayMode == .plain ? "on" : "off"),
      ("scroll-bar", showsScrollBar ? "on" : "off"), ("theme", theme.rawValue),
      ("time-zone", zone.identifier),
      ("top-date", showsTopDate ? "on" : "off"),
    ]
    return values.filter { name == nil || $0.0 == name }.map { "\($0.0) = \(SafeText.oneLine($0.1))" }
  }

  private mutating func change(_ name: String, to value: String) throws(UsageError) {
    switch name {
    case "me": me = value
    case "history": keepsHistory = try Self.toggle(name, value)
    case "pictures": showsPictures = try Self.toggle(name, value)
    case "scroll-bar": showsScrollBar = try Self.toggle(name, value)
    case "top-date": showsTopDate = try Self.toggle(name, value)
    case "theme":
      guard let chosen = Theme(rawValue: value.lowercased()) else {
        throw UsageError("theme is auto, dark or light", remedy: "/set theme light")
      }
      theme = chosen
    case "plain", "inline":
      let isOn = try Self.toggle(name, value)
      let meant = name == "plain" ? DisplayMode.plain : .inline
      if isOn { displayMode = meant } else if displayMode == meant { displayMode = .window }
      // Only one of them is on, in the next run too.
      settings["plain"] = displayMode == .plain ? "on" : "off"
      settings["inline"] = displayMode == .inline ? "on" : "off"
      return
    default:
      guard let zone = TimeZone(named: value) else {
        throw UsageError(
          "no time zone is called '\(SafeText.oneLine(value))'", remedy: "a name like Europe/Berlin or UTC")
      }
      clock = WallClock(zone: zone)
    }
    settings[name] = value
  }

  private static func toggle(_ name: String, _ value: String) throws(UsageError) -> Bool {
    guard let isOn = CommandArguments.toggle(value[...]) else {
      throw UsageError("\(name) is on or off", remedy: "/set \(name) on")
    }
    return isOn
  }
}
