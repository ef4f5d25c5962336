/// A platform's markup.
package enum MarkupDialect: Hashable, Sendable, CaseIterable {
  /// No markup, and no links: for texts that are not messages.
  case none
  /// Links alone.
  case plain
  /// An unknown platform's: links, and code and named links where they are unambiguous.
  case unknown
  /// Links and mentions: markup was resolved on import.
  case named
  /// `*bold*`, `_italic_`, `~strike~`, code blocks, quotes, `:names:` of emoji.
  /// <https://docs.slack.dev/messaging/formatting-message-text>
  case slack
  /// Like Slack's, with lists and without emoji names. <https://faq.whatsapp.com/539178204879377>
  case whatsApp
  /// Markdown with `__underline__`, `||spoilers||`, and languages of code blocks.
  /// <https://support.discord.com/hc/en-us/articles/210298617>
  case discord
  /// CommonMark, as far as chats use it. <https://spec.commonmark.org>
  case markdown
  /// Control codes. <https://modern.ircdocs.horse/formatting>
  case irc

  /// The markup of a platform or of an imported format; unknown if `nil`.
  package init(platform: String?) {
    guard let platform else {
      self = .unknown
      return
    }
    let name = platform.prefix { $0 != " " && $0 != "," }
    func isOf(_ families: [String]) -> Bool {
      families.contains { name == $0 || name.hasPrefix($0 + "-") }
    }
    switch true {
    case isOf(["slack", "slackdump"]): self = .slack
    case isOf(["discord"]): self = .discord
    case isOf(["whatsapp", "google-chat", "hangouts"]): self = .whatsApp
    case isOf(Self.markdownNames): self = .markdown
    case isOf(["irc", "twitch"]): self = .irc
    case isOf(["telegram", "signal", "imessage", "messenger", "instagram", "line", "skype"]): self = .named
    default: self = .unknown
    }
  }

  private static let markdownNames = [
    "matrix", "mattermost", "zulip", "aider", "amp", "character", "chatgpt", "claude", "claude.ai", "cline",
    "codex", "copilot", "crush", "cursor", "deepseek", "gemini", "grok", "llm", "lm", "open", "opencode",
    "pi",
    "sillytavern",
  ]

  /// Whether texts are parsed at all.
  package var isParsed: Bool { self != .none }

  var hasEmojiNames: Bool {
    switch self {
    case .slack, .discord, .markdown: true
    case .none, .plain, .unknown, .named, .whatsApp, .irc: false
    }
  }

  var hasMentions: Bool {
    switch self {
    case .slack, .discord, .markdown, .named, .whatsApp: true
    case .none, .plain, .unknown, .irc: false
    }
  }

  var hasChannels: Bool { self == .slack || self == .discord }

  var hasMarks: Bool {
    switch self {
    case .slack, .discord, .markdown, .whatsApp: true
    case .none, .plain, .unknown, .named, .irc: false
    }
  }

  var hasCode: Bool { hasMarks || self == .unknown }

  /// `<address|name>`, Slack's form, which is unambiguous on unknown platforms.
  var hasNamedLinks: Bool {
    switch self {
    case .slack, .unknown: true
    case .none, .plain, .named, .whatsApp, .discord, .markdown, .irc: false
    }
  }

  /// Markdown's marks: runs of signs, `[names](of links)`, `\` before a sign.
  var isMarkdown: Bool {
    switch self {
    case .discord, .markdown: true
    case .none, .plain, .unknown, .named, .slack, .whatsApp, .irc: false
    }
  }

  /// Whether code blocks must begin at the beginning of a line.
  var hasFencesOfLines: Bool { self == .markdown || self == .unknown }

  var bullets: [UInt8] {
    switch self {
    case .markdown: Array("-*+".utf8)
    case .discord, .whatsApp: Array("-*".utf8)
    case .none, .plain, .unknown, .named, .slack, .irc: []
    }
  }

  var headingDepth: Int {
    switch self {
    case .markdown: 6
    case .discord: 3
    case .none, .plain, .unknown, .named, .slack, .whatsApp, .irc: 0
    }
  }

  /// The style of text between two runs of a sign; `nil` if they have no meaning.
  func style(_ sign: UInt8, _ count: Int) -> MarkupSpan.Style? {
    switch (sign, count) {
    case (UInt8(ascii: "*"), 1): isMarkdown ? .italic : .bold
    case (UInt8(ascii: "*"), 2): isMarkdown ? .bold : nil
    case (UInt8(ascii: "_"), 1): .italic
    case (UInt8(ascii: "_"), 2): self == .discord ? .underline : isMarkdown ? .bold : nil
    case (UInt8(ascii: "~"), 1): isMarkdown ? nil : .strike
    case (UInt8(ascii: "~"), 2): isMarkdown ? .strike : nil
    case (UInt8(ascii: "|"), 2): self == .discord ? .spoiler : nil
    case _: nil
    }
  }
}
