internal import Foundation
internal import MessageModel

/// Service definitions that run `follow` from login on.
struct FollowService {
  let store: String
  var program = Bundle.main.executablePath ?? "/usr/bin/scrollback"

  private var arguments: [String] {
    [program, "follow", "--quiet", "--store", URL(fileURLWithPath: store).standardizedFileURL.path]
  }

  /// systemd.service(5)
  var unit: String {
    """
    # Follows what `scrollback sources` lists. To have it run:
    #   scrollback follow --systemd >~/.config/systemd/user/scrollback-follow.service
    #   systemctl --user enable --now scrollback-follow
    [Unit]
    Description=Scrollback imports chat histories as they grow

    [Service]
    ExecStart=\(Self.commandLine(arguments))
    Restart=on-failure
    RestartSec=30
    Nice=10

    [Install]
    WantedBy=default.target

    """
  }

  /// Returns a command line for systemd, which expands `$` in arguments but not in the program's path.
  private static func commandLine(_ words: [String]) -> String {
    let arguments = words.dropFirst().map { quoted($0).replacing("$", with: "$$") }
    return (words.prefix(1).map(quoted) + arguments).joined(separator: " ")
  }

  /// Quotes a word for systemd: backslashes, quotes, `%` specifiers and control characters are escaped.
  private static func quoted(_ word: String) -> String {
    let escaped = word.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\"": "\\\(scalar)"
      case "%": "%%"
      default:
        scalar.value < 0x20
          ? "\\x\(scalar.value < 0x10 ? "0" : "")\(String(scalar.value, radix: 16))" : "\(scalar)"
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// launchd.plist(5)
  var propertyList: String {
    let words = arguments.map { "    <string>\(MarkupText.escaped($0))</string>" }.joined(separator: "\n")
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- Follows what `scrollback sources` lists. To have it run:
        scrollback follow --launchd >~/Library/LaunchAgents/scrollback.follow.plist
        launchctl load ~/Library/LaunchAgents/scrollback.follow.plist -->
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>scrollback.follow</string>
        <key>ProgramArguments</key>
        <array>
      \(words)
        </array>
        <key>RunAtLoad</key>
        <true/>
        <key>KeepAlive</key>
        <dict>
          <key>SuccessfulExit</key>
          <false/>
        </dict>
        <key>ProcessType</key>
        <string>Background</string>
      </dict>
      </plist>

      """
  }
}
