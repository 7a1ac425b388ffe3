"""The site of the documentation: ``sphinx-build -W --keep-going -b html docs build/site``."""

import sys
from pathlib import Path

import nrpa

sys.path.insert(0, str(Path(__file__).parent))

project = "nrpa"
author = "the authors of nrpa"
project_copyright = author
version = release = nrpa.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
    "myst_nb",
    "mathml",
    "problem_options",
    "library_names",
]
templates_path = ["_templates"]
exclude_patterns = ["_templates"]

highlight_language = "text"
smartquotes = False
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
# Cells are run when the site is built, so that nothing that is shown is invented. A cell that fails fails the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True

autosummary_generate = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
viewcode_line_numbers = True

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = f"nrpa {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# Prompts and output are not copied.
copybutton_prompt_text = ">>> "
html_show_sourcelink = False
html_sidebars = {"**": ["sidebar-all.html"]}
html_theme_options = {
    "logo": {"text": f"nrpa {version}"},
    "navbar_center": [],
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
}
