document.body.textContent = "the page is not there yet";
