"""What an operator decides: `config.toml`, every key also as `KSKAK_SECTION__KEY`.

The environment wins over the file. A wrong key or value stops the start with one line that names
the key, the value given and what is allowed. Secrets come only from the environment.
"""

from server.settings.loading import SettingsError, keys, load_settings, settings_from
from server.settings.model import SECRETS, Settings

__all__ = ["SECRETS", "Settings", "SettingsError", "keys", "load_settings", "settings_from"]
