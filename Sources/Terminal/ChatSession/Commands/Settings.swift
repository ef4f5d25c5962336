internal import Foundation
internal import MessageModel
package import TerminalText

/// A setting of `/set` and the settings file.
package struct ReplSetting: Sendable {
  package var name: String
  package var summary: String
  /// `nil` for any text.
  package var values: [String]?
  var get: @Sendable (ReplContext) -> String
  var set: @Sendable (inout ReplContext, String) throws(UsageError) -> Void

  private static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ summary: String, _ place: any WritableKeyPath<ReplContext, Value> & Sendable
  ) -> ReplSetting {
    ReplSetting(
      name: name, summary: summary, values: Value.allCases.map(\.rawValue),
      get: { $0[keyPath: place].rawValue },
      set: { context, value in
        if let value = Value(rawValue: value) { context[keyPath: place] = value }
      })
  }

  private static func toggle(
    _ name: String, _ summary: String, _ place: any WritableKeyPath<ReplContext, Bool> & Sendable,
    _ values: [String] = ["on", "off"], on: String = "on"
  ) -> ReplSetting {
    ReplSetting(
      name: name, summary: summary, values: values,
      get: { context in values.first { ($0 == on) == context[keyPath: place] } ?? on },
      set: { $0[keyPath: place] = $1 == on })
  }

  private static func mode(_ name: String, _ summary: String, _ mode: ReplContext.DisplayMode) -> ReplSetting
  {
    ReplSetting(
      name: name, summary: summary, values: ["on", "off"], get: { $0.displayMode == mode ? "on" : "off" },
      set: { $0.show(mode, $1 == "on") })
  }

  /// All settings, by name.
  package static let all: [ReplSetting] = [
    choice("color", "when to use colours; --color overrides it", \.appearance.color),
    toggle(
      "density", "roomy: an empty row between speakers", \.appearance.isRoomy, ["compact", "roomy"],
      on: "roomy"),
    choice(
      "events", "smart: joins and parts are folded, but for those who speak then; all; none",
      \.appearance.events),
    toggle("history", "off: typed lines are not saved, including those of this run", \.keepsHistory),
    mode("inline", "on: no window; messages go to the scrollback of the terminal", .inline),
    toggle(
      "markup", "off: show texts as typed, with the signs of *bold*, `code` and :emoji:",
      \.appearance.showsMarkup),
    ReplSetting(
      name: "me", summary: "your name as a sender, here and in `scrollback append`",
      get: { $0.me }, set: { $0.me = $1 }),
    toggle("mouse", "off: the terminal gets the wheel and can select text", \.appearance.usesMouse),
    choice(
      "person", "all: /open @NAME also shows what they wrote in groups; direct: only between you",
      \.personExtent),
    toggle("pictures", "on: draw thumbnails; /view shows one larger", \.showsPictures),
    mode("plain", "on: plain lines without a window, for screen readers", .plain),
    toggle("scroll-bar", "off: no bar at the right edge", \.showsScrollBar),
    toggle(
      "steps", "whole: all that assistants think and do; folded: one line each, /view shows one",
      \.appearance.foldsSteps, ["folded", "whole"], on: "folded"),
    choice("theme", "colours for a dark or a light background; auto asks the terminal", \.theme),
    choice("time-format", "times as 14:05, as 2:05p, or with seconds", \.appearance.clock),
    ReplSetting(
      name: "time-zone", summary: "time zone of the times shown, for example Europe/Berlin",
      get: { $0.zone.identifier },
      set: { (context, value) throws(UsageError) in
        guard let zone = TimeZone(named: value) else {
          throw UsageError(
            "unknown time zone '\(SafeText.oneLine(value))'", remedy: "a name like Europe/Berlin or UTC")
        }
        context.clock = WallClock(zone: zone)
      }),
    toggle("top-date", "off: no date at the top of the screen", \.showsTopDate),
  ]

  package static let names = all.map(\.name)

  func change(_ context: inout ReplContext, to value: String) throws(UsageError) {
    if let values, !values.contains(value) {
      let all = values.dropLast().joined(separator: ", ") + " or " + (values.last ?? "")
      throw UsageError("\(name) is \(all)", remedy: "/set \(name) \(values.first ?? "")")
    }
    try set(&context, value)
  }
}

package struct Appearance: Hashable, Sendable {
  package var color = TerminalTraits.ColorChoice.auto
  package var usesMouse = true
  package var clock = LayoutSettings.ClockFormat.hours24
  /// Whether an empty row separates messages of different people.
  package var isRoomy = false
  /// Whether an assistant's steps are folded to a row each.
  package var foldsSteps = true
  /// Whether markup is rendered.
  package var showsMarkup = true
  /// A window's default is `smart`.
  package var events = LayoutSettings.EventDisplay.all
}

extension Session {
  mutating func toggleSteps() throws -> Effects {
    context.appearance.foldsSteps.toggle()
    try reader.layOut(size: nil, in: &context)
    return Effects(.echo(context.appearance.foldsSteps ? "steps are folded" : "steps are whole"))
  }

  mutating func set(_ name: String?, to value: String?) throws -> Effects {
    let (extent, looks) = (context.personExtent, context.looks)
    var lines = try context.set(name, to: value)
    // Scripts do not change the settings file.
    if value != nil, !reader.traits.isAttended { lines = lines.map { "\($0) (in this script alone)" } }
    lastSetting = value == nil ? nil : lines.first
    var effects = list(lines, isBrief: true)
    guard value != nil else { return effects }
    try reader.layOut(size: nil, in: &context)
    let wanted = context.personExtent
    context.personExtent = extent
    effects = effects.adding(try reselect { $0.personExtent = wanted })
    effects.leaves = reader.traits.isAttended && context.looks != looks
    // The reopened window shows the setting, and the same place.
    if effects.leaves, context.displayMode == looks.displayMode {
      context.greeting = lastSetting
      if !reader.sight.isAtNewestEdge { context.start = reader.sight.place.map { .message($0.id) } }
    }
    effects.settings = context.settings
    return effects
  }

  package mutating func reportSaved() {
    guard let lastSetting else { return }
    let text = "kept for the next run"
    let sentence = reader.traits.medium == .window ? "\(lastSetting) · \(text)" : text
    try? reader.emit(.notice(sentence), in: &context)
  }

  package mutating func reportUnsaved(in path: String) { reader.complain(ConfigFile.unkept(in: path)) }
}

extension ReplContext {
  /// The settings that a terminal is set up for; changing one reopens it.
  package struct Looks: Hashable, Sendable {
    let displayMode: DisplayMode
    let color: TerminalTraits.ColorChoice
    let usesMouse: Bool
  }

  package var looks: Looks {
    Looks(displayMode: displayMode, color: appearance.color, usesMouse: appearance.usesMouse)
  }

  /// Applies saved settings; returns the errors.
  @discardableResult
  package mutating func restore(_ settings: [String: String]) -> [String] {
    var unclear: [String] = []
    for setting in ReplSetting.all {
      guard let value = settings[setting.name] else { continue }
      do throws(UsageError) {
        try setting.change(&self, to: value)
      } catch {
        unclear.append(error.summary)
      }
    }
    return unclear
  }

  mutating func set(_ name: String?, to value: String?) throws(UsageError) -> [String] {
    guard let name else { return ReplSetting.all.map(line) }
    guard let setting = ReplSetting.all.first(where: { $0.name == name }) else {
      let near = Nearest.name(to: name, among: ReplSetting.names)
      throw UsageError(
        "there is no setting '\(SafeText.oneLine(name).cut(columns: 40))'",
        remedy: near.map { "/set \($0)" } ?? "/set")
    }
    if name == "pictures", drawer == nil, value == "on" {
      throw UsageError(
        "no pictures can be drawn here",
        cause: "this is not a window, or scrollback was built without picture libraries",
        remedy: "make prepare build")
    }
    if let value {
      try setting.change(&self, to: value)
      settings[name] = setting.get(self)
      // Only one of them is on, also in the next run.
      for other in ReplSetting.all
      where ["inline", "plain"].contains(name) && ["inline", "plain"].contains(other.name) {
        settings[other.name] = other.get(self)
      }
    }
    return [line(of: setting)]
  }

  private func line(of setting: ReplSetting) -> String {
    "\(setting.name) = \(SafeText.oneLine(setting.get(self)))"
  }

  fileprivate mutating func show(_ mode: DisplayMode, _ isOn: Bool) {
    if isOn { displayMode = mode } else if displayMode == mode { displayMode = .window }
  }
}

extension LayoutSettings {
  mutating func take(_ appearance: Appearance) {
    clock = appearance.clock
    isRoomy = appearance.isRoomy
    foldsSteps = appearance.foldsSteps
    events = appearance.events
    // Without styles, markup characters are all there is.
    showsMarkup = appearance.showsMarkup && appearance.color != .never
  }
}
